import type { CallContext } from '../../../driver.ts';

/** Records of a hash as JSON, by id; null for absent records. */
export type RecordTexts = ReadonlyMap<number, string | null>;

/** Records of users and chats, each read once for a call. */
export class PeerRecords {
  private readonly tx: CallContext['tx'];
  private readonly texts = new Map<string, Map<number, string | null>>();
  /** Parsed records, by their text; made for the first, as users are not parsed here. */
  private parsed: Map<string, unknown> | undefined;
  /** How many reads have not ended, who waits for that, and the failure of the first that failed. */
  private reading = 0;
  private onRead: (() => void) | undefined;
  private failure: { error: unknown } | undefined;

  constructor({ tx }: Pick<CallContext, 'tx'>) {
    this.tx = tx;
  }

  /** Starts to read the records of these ids in a hash, except those asked for before. `settle` makes them available. */
  ask(name: string, ids: readonly number[]): RecordTexts {
    let texts = this.texts.get(name);
    if (texts === undefined) {
      texts = new Map();
      this.texts.set(name, texts);
    }
    const missing: string[] = [];
    for (let i = 0; i < ids.length; i += 1) {
      const id = ids[i] as number;
      if (texts.has(id)) continue;
      texts.set(id, null);
      missing.push(`${id}`);
    }
    if (missing.length > 0) this.read(name, missing, texts);
    return texts;
  }

  /** Resolves when all records asked for have been read; undefined if they have been already, as most are when they are needed. */
  untilRead(): Promise<void> | undefined {
    if (this.reading === 0) return undefined;
    return new Promise((resolve) => {
      this.onRead = resolve;
    });
  }

  /** Applies the call's own pending writes to what was read. Throws if a read has failed. */
  settle(): void {
    if (this.failure !== undefined) throw this.failure.error;
    this.texts.forEach((texts, name) => {
      this.tx.changesOf(name).forEach((value, field) => {
        if (texts.has(Number(field))) texts.set(Number(field), value);
      });
    });
  }

  /** A settled record, in its state after the commit; null if it does not exist. */
  get<Kept>(name: string, id: number): Kept | null {
    const text = this.texts.get(name)?.get(id) ?? null;
    if (text === null) return null;
    this.parsed ??= new Map();
    if (!this.parsed.has(text)) this.parsed.set(text, JSON.parse(text));
    return this.parsed.get(text) as Kept;
  }

  private read(name: string, ids: readonly string[], texts: Map<number, string | null>): void {
    const { tx } = this;
    this.reading += 1;
    tx.read.hmget(tx.key(name), ...ids).then(
      (found) => {
        for (let i = 0; i < found.length; i += 1) texts.set(Number(ids[i]), found[i] as string | null);
        this.noteRead();
      },
      (error) => {
        this.failure ??= { error };
        this.noteRead();
      },
    );
  }

  private noteRead(): void {
    this.reading -= 1;
    if (this.reading === 0) this.onRead?.();
  }
}
