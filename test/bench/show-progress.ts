/** Shows one line of progress in place of the last one; an empty text takes it away. Without a terminal it is a line each. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}
