import { type Command, type ConfiguredPlugin, type ConfiguredTap, hookNames, type Kernel, type Terminal } from '../../../kernel/index.ts';
import { displayPath } from '../../shared/terminal/display-path.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { visibleText } from '../../shared/text/visible-text.ts';

/** The output of the command: taps by hook, and the plugins. */
interface PluginsReport {
  readonly hooks: readonly { readonly hook: string; readonly taps: readonly ReportedTap[] }[];
  /** In configuration order. */
  readonly plugins: readonly ReportedPlugin[];
}

/** `from`: the preset or module that lists the plugin, else the configuration file. */
type ReportedTap = Omit<ConfiguredTap, 'key'> & { readonly execution_type?: string; readonly from: string };

interface ReportedPlugin {
  readonly name: string;
  readonly version?: string;
  readonly from: string;
  readonly taps: number;
  readonly commands: readonly string[];
}

/** `toolkit plugins`: shows the taps of each hook. */
export const pluginsCommand: Command = {
  name: 'plugins',
  description:
    'Show what runs on each hook, in running order: the plugin, its place, and where it comes from; then the plugins that tap none.',
  flags: [{ flag: '--json', description: 'print JSON' }],
  examples: [
    { line: 'toolkit plugins', does: 'a line for each tap, hook by hook in the order of a call' },
    { line: 'toolkit plugins --json', does: 'for programs: hooks (hook, taps) and plugins (name, version, from, taps, commands)' },
  ],
  async run({ flags, createKernel, write, terminal, configFile }) {
    const kernel = await createKernel();
    try {
      const listedBy = configFile === undefined ? 'toolkit' : displayPath(configFile, process.cwd());
      const shown = collectReport(kernel, listedBy);
      write(flags['json'] === true ? jsonText(shown) : await report(shown, terminal));
    } finally {
      await kernel.close();
    }
  },
};

function collectReport(kernel: Kernel, listedBy: string): PluginsReport {
  const fromOf = ({ from = listedBy }: ConfiguredPlugin): string => from;
  const origins = new Map(kernel.plugins.map((plugin) => [plugin.name, fromOf(plugin)]));
  const hooks = hookNames.map((hook) => ({
    hook,
    taps: kernel.tapsOf(hook).map(({ key, ...tap }) => ({
      ...tap,
      ...(key === undefined ? {} : { execution_type: key }),
      from: origins.get(tap.plugin) ?? listedBy,
    })),
  }));
  const all = hooks.flatMap(({ taps }) => taps);
  const plugins = kernel.plugins.map((plugin) => ({
    name: plugin.name,
    ...(plugin.version === undefined ? {} : { version: plugin.version }),
    from: fromOf(plugin),
    taps: all.filter((tap) => tap.plugin === plugin.name).length,
    commands: (plugin.commands ?? []).map(({ name }) => name),
  }));
  return { hooks, plugins };
}

async function report({ hooks, plugins }: PluginsReport, terminal: Terminal): Promise<string> {
  const rows = hooks.flatMap(({ hook, taps }) => [
    ...(taps.length === 0 ? [[hook, paint(terminal, 'quiet', 'nothing')]] : []),
    ...taps.map((tap, index) => [
      index === 0 ? hook : '',
      paint(terminal, 'name', visibleText(tap.name)),
      visibleText(formatPosition(tap)),
      paint(terminal, 'quiet', visibleText(tap.from)),
    ]),
  ]);
  const taps = await textTable(
    terminal,
    [{ heading: 'Hook' }, { heading: 'Tap' }, { heading: 'Place', narrow: 'wrap' }, { heading: 'From' }],
    rows,
  );
  const idle = plugins.filter((plugin) => plugin.taps === 0);
  if (idle.length === 0) return taps;
  const others = idle.map(({ name, commands, from }) => [
    paint(terminal, 'name', visibleText(name)),
    paint(terminal, 'quiet', visibleText(from)),
    visibleText(commands.length === 0 ? '' : `toolkit ${commands.join(', ')}`),
  ]);
  const columns = [{ heading: 'Taps nothing' }, { heading: 'From' }, { heading: 'Commands', narrow: 'wrap' }] as const;
  return `${taps}\n${await textTable(terminal, columns, others)}`;
}

/** Describes the position of a tap beyond the configuration order: execution type, stage, `before`. */
function formatPosition({ execution_type: type, stage, before }: ReportedTap): string {
  return [
    ...(type === undefined ? [] : [type === '*' ? 'every type' : type]),
    ...(stage === 0 ? [] : [`stage ${stage}`]),
    ...(before.length === 0 ? [] : [`before ${before.join(', ')}`]),
  ].join(', ');
}
