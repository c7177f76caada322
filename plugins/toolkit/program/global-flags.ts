import { Command as Commander, Option } from 'commander';

export interface GlobalFlags {
  /** Configuration file, as written. */
  readonly config?: string;
  /** Working directory, as written. */
  readonly cwd?: string;
  readonly debug?: boolean;
}

const options = [
  new Option('--config <file>', 'configuration file (default: searched from the working directory up to the nearest package.json)'),
  new Option('--cwd <folder>', 'working directory: configuration, packages and relative paths start there (default: TOOLKIT_CWD)'),
  new Option('--debug', 'show what happens in detail, and where an error was thrown'),
];

/** Adds the flags of every command. */
export function addGlobalFlags(program: Commander): Commander {
  for (const option of options) program.addOption(option);
  return program;
}

/**
 * Reads the global flags before the commands are known, because the configuration may add commands. `word` is the first argument that is no flag.
 * Errors are reported by the full parse later.
 */
export function globalFlags(argv: readonly string[]): GlobalFlags & { readonly word?: string } {
  const reader = addGlobalFlags(new Commander())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    // A completion script passes the typed words: their flags apply.
    const isAsked = argv[0] === 'complete' && argv[1] === '--';
    const { operands } = reader.parseOptions(argv.slice(isAsked ? 2 : 0));
    const [word] = isAsked ? ['complete'] : operands;
    return { ...reader.opts<GlobalFlags>(), ...(word === undefined ? {} : { word }) };
  } catch {
    // Such as a flag without its value.
    return reader.opts();
  }
}
