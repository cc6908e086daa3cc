import type { Readable, Writable } from 'node:stream';

const NEW_LINE = 0x0a;

/** Passes on what a process prints once `mayStart` has resolved, in whole lines, so that those of several never mix. */
export function forwardLines(from: Readable, to: Writable, mayStart: Promise<void>): void {
  let rest: Buffer = Buffer.alloc(0);
  const write = (bytes: Buffer) => {
    // Nobody reads it any more; who writes it must not wait for that.
    if (to.errored || bytes.length === 0 || to.write(bytes)) return;
    from.pause();
    to.once('drain', () => from.resume());
  };
  void mayStart.then(() => {
    from.on('data', (chunk: Buffer) => {
      const end = chunk.lastIndexOf(NEW_LINE) + 1;
      if (end === 0) {
        rest = Buffer.concat([rest, chunk]);
        return;
      }
      write(Buffer.concat([rest, chunk.subarray(0, end)]));
      rest = chunk.subarray(end);
    });
    from.on('end', () => write(rest));
  });
}
