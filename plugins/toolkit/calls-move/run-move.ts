import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { type CommandInvocation, createKernel, type Kernel, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { type MovableState, type MovedState, movableState } from '../../shared/calls/movable-state.ts';
import { StoreProbe } from '../../shared/state/store-probe.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { MovedStore } from '../../store-libsql/moved-store.ts';

type Moved = MovedState & Pick<MovableState, 'what'>;

/**
 * Moves the calls of a file to the store of the configuration. Throws when the file is in use, has another key or was moved elsewhere, and when
 * the configuration has no engine that takes calls.
 */
export async function runMove(invocation: Pick<CommandInvocation, 'arguments' | 'flags' | 'createKernel' | 'write'>): Promise<void> {
  const { arguments: words, flags, write } = invocation;
  const file = path.resolve(words[0] ?? '');
  const here = new StoreProbe('calls-move');
  await using kernel = await invocation.createKernel({}, (options) => ({ ...options, plugins: [...options.plugins, here.plugin] }));
  const parts = partsOf(kernel);
  const destination = await idOf(here.state as StateStore);
  const moved = await moveParts(file, parts, destination, kernel);
  if (flags['json'] === true) write(jsonText({ file, moved: moved.map(({ what, ...count }) => ({ what, ...count })) }));
  else write(report(file, moved));
}

/** Returns what is moved, in order: what entries depend on comes before them. Throws CONFIG_INVALID when no engine takes calls. */
function partsOf(kernel: Kernel): readonly MovableState[] {
  const parts = kernel.facts(movableState).map(({ value }) => value);
  if (parts.some(({ isActedOn }) => isActedOn)) return parts.sort((one, other) => Number(one.isActedOn) - Number(other.isActedOn));
  throw new ToolkitError(
    'CONFIG_INVALID',
    'No engine of this configuration takes calls of another store. List storePostgres() ("toolkit/plugins/store-postgres") and engineBullmq() ("toolkit/plugins/engine-bullmq").',
  );
}

/** Returns the id of the store, made at first use. */
async function idOf(state: StateStore): Promise<string> {
  await state.compareAndSet('id', undefined, randomUUID());
  return (await state.get('id')) ?? '';
}

async function moveParts(
  file: string,
  parts: readonly MovableState[],
  destination: string,
  { logger }: Pick<Kernel, 'logger'>,
): Promise<readonly Moved[]> {
  const source = new MovedStore(file);
  const entries = parts.map((part) => ({ part, probe: new StoreProbe(part.keysOf) }));
  await using _kernel = await createKernel({ logger, plugins: [source.plugin, ...entries.map(({ probe }) => probe.plugin)] });
  // Opens the file, and reads with its key.
  for (const { probe } of entries) await probe.state?.list('', { limit: 1 });
  await source.mark(destination);
  const moved: Moved[] = [];
  for (const { part, probe } of entries) moved.push({ what: part.what, ...(await part.move(probe.state as StateStore)) });
  return moved;
}

function report(file: string, moved: readonly Moved[]): string {
  const lines = moved.map(({ what, ...count }) => `  ${what}: ${countText(count)}\n`);
  return `${terminalText(`Moved from ${file}, which is closed for good:`)}\n${lines.join('')}`;
}

function countText({ moved, known, later }: MovedState): string {
  return [
    `${moved} moved`,
    ...(known === 0 ? [] : [`${known} stay there, because this store has their name`]),
    ...(later === 0 ? [] : [`${later} stay there: a later version of this program wrote them; run this command of that version`]),
  ].join('; ');
}
