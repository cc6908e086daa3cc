import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A command that a Redis server has run, as `MONITOR` shows it: its words, with the escapes of `MONITOR` in them. */
export type OnCommand = (words: string[], line: string) => void;

const LINE = /^\S+ \[[^\]]*\] (.*)$/;
const WORD = /"((?:[^"\\]|\\.)*)"/g;

/**
 * Hears of every command that a server runs, until the socket is destroyed. ioredis' own monitor fails when a command is shown in the same
 * packet that confirms it.
 */
export async function monitorCommands(port: number, onCommand: OnCommand): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  createInterface({ input: socket }).on('line', (line) => {
    const command = LINE.exec(line)?.[1];
    if (command !== undefined)
      onCommand(
        Array.from(command.matchAll(WORD), ([, word = '']) => word),
        line,
      );
  });
  socket.write('MONITOR\r\n');
  await once(socket, 'data');
  return socket;
}
