import type { Readable, Writable } from 'node:stream';

const NEW_LINE = 0x0a;

/** Forwards the output of a process, in whole lines so that lines of several processes never mix, once `mayStart` has resolved. */
export function forwardLines(from: Readable, to: Writable, mayStart: Promise<void>): void {
  let rest: Buffer = Buffer.alloc(0);
  const write = (bytes: Buffer) => {
    if (bytes.length === 0) return;
    // Called after a failure too, while `drain` never comes then: once nobody reads the output, the process must not wait for a reader.
    const hasRoom = to.write(bytes, () => {
      if (!hasRoom) from.resume();
    });
    if (!hasRoom) from.pause();
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
