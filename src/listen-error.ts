/** Why a server cannot listen on a port, in a sentence that names the setting; `code` is that of the error. */
export function explainListenError(
  code: string,
  { setting, host, port }: { setting: string; host: string; port: number },
): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use; set ${setting} to another one.`;
  if (code === 'EACCES')
    return `Port ${port} may not be used by this user; set ${setting} to one above 1023.`;
  return `Switchboard cannot listen on HOST ${host}: ${code}.`;
}
