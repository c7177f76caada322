import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { type Kernel, type PluginEntry, revealSecret } from '../../../kernel/index.ts';
import { secretsDotenv } from '../../../plugins/secrets-dotenv/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

export type Options = NonNullable<Parameters<typeof secretsDotenv>[0]>;

export interface EnvFolder {
  readonly folder: string;
  readonly file: string;
  readonly kernel: Kernel;
  readonly records: readonly LogRecord[];
  /** The value of a secret, resolved now. */
  value(name: string): Promise<string | undefined>;
  warnings(): string[];
}

/** A kernel whose folder has this `.env`, readable by its owner alone. Without options the environment has no variables. */
export async function envFolder(
  text: string | undefined,
  options: Options = { env: {} },
  later: readonly PluginEntry[] = [],
): Promise<EnvFolder> {
  const folder = await temporaryFolder(text === undefined ? {} : { '.env': text });
  const file = path.join(folder, '.env');
  if (text !== undefined) await chmod(file, 0o600);
  const logger = memoryLogger();
  const kernel = await bareKernel({ plugins: [secretsDotenv(options), ...later], logger, cwd: folder });
  return {
    folder,
    file,
    kernel,
    records: logger.records,
    value: async (name) => {
      await kernel.resolveSecrets([name]);
      const secret = kernel.secret(name);
      return secret === undefined ? undefined : revealSecret(secret);
    },
    warnings: () => logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message),
  };
}
