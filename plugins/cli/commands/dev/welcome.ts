import type { Kernel } from '../../../../kernel/index.ts';
import { serverListing } from '../../../shared/exposure/server-listing.ts';
import { toolFilter } from '../../../shared/exposure/tool-filter.ts';
import { displayPath } from '../../../shared/terminal/display-path.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';

/** Maximum number of folders that are named; the rest is counted. */
const maxFolders = 8;

/** Returns the text below the server's address and token, printed once it runs. */
export function welcome(kernel: Kernel, watched: readonly string[], isStdio: boolean): string {
  const { tools, excludeTools } = kernel.facts(serverListing)[0]?.value ?? {};
  const isOffered = toolFilter(tools, excludeTools, kernel.registry.tools.keys());
  const offered = [...kernel.registry.tools.values()].filter(isOffered).length;
  const folders = watched.slice(0, maxFolders).map((folder) => visibleText(displayPath(folder, process.cwd())));
  const more = watched.length > maxFolders ? ` and ${watched.length - maxFolders} more` : '';
  const lines = [
    ...(isStdio ? ['MCP server: standard input and output'] : []),
    offered === 0 ? 'Tools:      none yet; "toolkit new tool" writes one' : `Tools:      ${offered}`,
    ...(watched.length === 0
      ? [
          'Watching:   nothing, because no folder of tools is configured',
          '            "toolkit new tool" makes one, --tool-paths names one',
        ]
      : [`Watching:   ${folders.join(', ')}${more}`]),
    ...(isStdio ? [] : ['Connect:    toolkit mcp setup', 'Ctrl-C ends it.']),
  ];
  return `${lines.join('\n')}\n`;
}
