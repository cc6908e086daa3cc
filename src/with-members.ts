/**
 * A copy of an object with members added or replaced. For objects made for every call, or kept for long: in Node 20, each copy that
 * `{ ...object, member }` makes has a hidden class of its own, so all later accesses to it are slow. In Node 22 that is no longer so.
 */
export function withMembers<A extends object, B extends object>(object: A, members: B): Omit<A, keyof B> & B {
  return Object.assign({}, object, members);
}
