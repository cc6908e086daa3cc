import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}

type Send = (message: object, handle?: unknown, options?: undefined, callback?: () => void) => boolean;

/**
 * Closes the connections that were handed to a process which ends before it takes them. `node:cluster` keeps them open for ever, and their
 * clients would wait without an answer. Also keeps a message to a process that has just ended from throwing.
 */
export function closeUntaken(child: ChildProcess): void {
  // By the number of the message that the process acknowledges when it takes the connection.
  const untaken = new Map<number, Handle>();
  const send = child.send.bind(child) as Send;
  const sendAndNote: Send = (message: { seq?: number }, handle) => {
    if (handle && message.seq !== undefined) untaken.set(message.seq, handle as Handle);
    // Without a callback, Node would throw the failure in this process, whose task is to restart the other one.
    return send(message, handle, undefined, () => undefined);
  };
  child.send = sendAndNote as typeof child.send;
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  child.once('exit', () => {
    for (const handle of untaken.values()) handle.close();
  });
}
