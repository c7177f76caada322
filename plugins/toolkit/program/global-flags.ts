import { Command as Commander, Option } from 'commander';

export interface GlobalFlags {
  /** The configuration file, as written. */
  readonly config?: string;
  /** The working directory, as written. */
  readonly cwd?: string;
  readonly debug?: boolean;
}

const options = [
  new Option('--config <file>', 'configuration file (default: searched from the working directory up to the nearest package.json)'),
  new Option('--cwd <folder>', 'working directory: configuration, packages and relative paths start there (default: TOOLKIT_CWD)'),
  new Option('--debug', 'show what happens in detail, and where an error was thrown'),
];

/** Adds the flags that every command has. */
export function addGlobalFlags(program: Commander): Commander {
  for (const option of options) program.addOption(option);
  return program;
}

/**
 * Reads them before commands are known, because the configuration may bring commands; `word` is the first that is no flag. A mistake is
 * left to the full reading.
 */
export function globalFlags(argv: readonly string[]): GlobalFlags & { readonly word?: string } {
  const reader = addGlobalFlags(new Commander())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    // A shell asks what may follow words that were typed: their flags count.
    const isAsked = argv[0] === 'complete' && argv[1] === '--';
    const { operands } = reader.parseOptions(argv.slice(isAsked ? 2 : 0));
    const [word] = isAsked ? ['complete'] : operands;
    return { ...reader.opts<GlobalFlags>(), ...(word === undefined ? {} : { word }) };
  } catch {
    // Such as a flag without its value.
    return reader.opts();
  }
}
