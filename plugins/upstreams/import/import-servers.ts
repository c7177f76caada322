import { excerpt, placeholdersIn, ToolkitError } from '../../../kernel/index.ts';
import { type ClientEntry, clientEntries } from './client-entries.ts';
import { readEntry } from './entry-reader.ts';
import type { ImportedServer, ImportedServers } from './imported.ts';
import { ImportedSecrets } from './imported-secrets.ts';
import { parseClientFile } from './parse-client-file.ts';
import { sourceNames } from './source-names.ts';

/**
 * Returns the MCP servers of a client's file, in the form of this program's configuration: Claude Desktop and Code, Cursor, VS Code, Windsurf, Zed,
 * Gemini CLI, Codex, and others with `mcpServers`. Secrets among `env` and `headers` stand as `{NAME}`. `file`: its name, for messages and the format.
 * Throws CONFIG_INVALID for a file that cannot be read, or has no servers. No message holds a value of the file.
 */
export async function importServers(text: string, file: string): Promise<ImportedServers> {
  const entries = clientEntries(await parseClientFile(text, file));
  if (entries === undefined) {
    const expected = 'expected "mcpServers", "servers", "context_servers" or "mcp_servers"';
    throw new ToolkitError('CONFIG_INVALID', `${excerpt(file, 200)} has no MCP servers: ${expected}.`, { file });
  }
  const refused: { name: string; reason: string }[] = [];
  const notes: string[] = [];
  const secrets = new ImportedSecrets();
  const servers = new Map<string, ImportedServer>();
  const sources = sourceNames(entries.map(({ name }) => name));
  for (const [name, group] of byName(entries)) {
    const source = sources.get(name) ?? name;
    const shown = excerpt(name, 60);
    const [first, second] = group;
    // Claude Code has servers for each project.
    const result =
      second === undefined ? readEntry(source, first ?? {}, secrets) : { reason: 'stands there several times, with different settings' };
    if (result.reason !== undefined) refused.push({ name: shown, reason: result.reason });
    else {
      servers.set(source, result.server);
      if (source !== name) notes.push(`${shown}: is called ${source} here`);
      notes.push(...result.notes.map((note) => `${source}: ${note}`));
    }
  }
  // Those of refused servers are not needed.
  const needed = new Set(placeholdersIn([...servers.values()].map(({ env, headers }) => [env, headers])));
  return { servers, secrets: secrets.all.filter(({ name }) => needed.has(name)), refused, notes };
}

/** Returns the different entries of each name. */
function byName(entries: readonly ClientEntry[]): ReadonlyMap<string, readonly ClientEntry['entry'][]> {
  const groups = new Map<string, Map<string, ClientEntry['entry']>>();
  for (const { name, entry } of entries) {
    const group = groups.get(name) ?? new Map<string, ClientEntry['entry']>();
    groups.set(name, group.set(JSON.stringify(entry), entry));
  }
  return new Map([...groups].map(([name, group]) => [name, [...group.values()]]));
}
