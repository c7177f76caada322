import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** What is the same in every request of a provider. */
export interface ProviderFixture {
  /** What the environment holds. */
  readonly env: Readonly<Record<string, string>>;
  /** The path of the base URL. @default '' */
  readonly base_path?: string;
  /** Sent with every request; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Sent {
  readonly method: string;
  /** Path and query below the base path, as they go over the wire. */
  readonly path: string;
  /** Beyond those of the provider. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON where the content type says so (the text `*` stands for any text), else the exact text. Absent: an empty body. */
  readonly body?: unknown;
}

export interface Answer {
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a text that is sent as it is. Absent: an empty body. */
  readonly body?: unknown;
}

/** One example of a tool: the requests that it makes, what the service answers, and what comes out. */
export interface ExampleFixture {
  readonly example: string;
  readonly sent: readonly Sent[];
  readonly answers: readonly Answer[];
  /** @default the body of the last answer */
  readonly output?: unknown;
}

const folder = fileURLToPath(new URL('../../fixtures/requests', import.meta.url));

interface WrittenExample {
  readonly example: string;
  readonly sent: Sent | readonly Sent[];
  readonly answer: Answer | readonly Answer[];
  readonly output?: unknown;
}

async function read<T>(file: string): Promise<T> {
  return parse(await readFile(file, 'utf8')) as T;
}

/** Names of the providers that have request fixtures. */
export async function fixtureProviders(): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, 'provider.yaml')))
    .map(({ name }) => name);
}

export async function providerFixture(provider: string): Promise<ProviderFixture> {
  return read(path.join(folder, provider, 'provider.yaml'));
}

/** The examples by tool name. */
export async function exampleFixtures(provider: string): Promise<ReadonlyMap<string, readonly ExampleFixture[]>> {
  const files = (await readdir(path.join(folder, provider))).filter((file) => file.endsWith('.yaml') && file !== 'provider.yaml').sort();
  const entries = await Promise.all(
    files.map(async (file) => {
      const written = await read<readonly WrittenExample[]>(path.join(folder, provider, file));
      const examples = written.map(({ sent, answer, ...rest }) => ({
        ...rest,
        sent: [sent].flat() as Sent[],
        answers: [answer].flat() as Answer[],
      }));
      return [path.basename(file, '.yaml'), examples] as const;
    }),
  );
  return new Map(entries);
}
