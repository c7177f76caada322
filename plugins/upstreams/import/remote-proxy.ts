/** A server over HTTP that a client reaches through the npm package mcp-remote. */
export interface ProxiedServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the server behind `npx mcp-remote <url> --header "Name:value"`; undefined for any other program. */
export function proxiedServer(command: string, args: readonly string[]): ProxiedServer | undefined {
  const at = args.findIndex((argument) => /^mcp-remote(@[\w.-]+)?$/.test(argument));
  if (!/(^|[/\\])(npx|bunx|pnpx)(\.cmd)?$/.test(command) || at === -1) return undefined;
  const url = args.slice(at + 1).find((argument) => /^https?:\/\//.test(argument));
  if (url === undefined) return undefined;
  const headers = args.flatMap((argument, index): [string, string][] => {
    const [, name, value] = args[index - 1] === '--header' ? (/^([\w-]+):\s*(.*)$/s.exec(argument) ?? []) : [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return { url, headers: Object.fromEntries(headers) };
}
