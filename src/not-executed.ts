import { Problem } from './problem.ts';

/** The problem of a call whose method the account's driver does not execute. */
export function notExecuted(method: string, driver: string): Problem {
  return new Problem('method_not_implemented', {
    detail: `${method} is a method of the schema, but the driver ${driver} does not execute it: GET /v1/methods?executed=true lists the methods that are executed.`,
  });
}
