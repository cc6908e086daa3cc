import type { Transaction } from '../../../../src/state/transaction.ts';

/** Something that is kept for one run of a call. A call that runs again has a new one, as what it has read may have changed. */
export class PerCall<T> {
  private readonly kept = new WeakMap<Transaction, T>();
  private readonly create: () => T;

  constructor(create: () => T) {
    this.create = create;
  }

  of({ tx }: { tx: Transaction }): T {
    const known = this.kept.get(tx);
    if (known !== undefined) return known;
    const created = this.create();
    this.kept.set(tx, created);
    return created;
  }
}
