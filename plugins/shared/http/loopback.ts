/** Whether this name or address, without brackets, is this machine's own. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether what is sent there can be read on the way by nobody: `https`, or `http` on this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));
}
