import { Random } from '../../support/random.ts';
import { callers, environmentIn, type SoakFolder, tokenOf } from './folder.ts';
import { HttpCaller } from './http-caller.ts';
import type { Client } from './load.ts';
import { program } from './server.ts';
import { StdioCaller } from './stdio-caller.ts';
import type { Tally } from './tally.ts';

/** One client in so many starts a server of its own, and at least one. */
const perStdioClient = 25;

interface ClientsOptions {
  readonly count: number;
  readonly seed: number;
  readonly port: number;
  readonly folder: SoakFolder;
  readonly tally: Tally;
}

/** Connects them. Each has numbers of its own, from the seed and its place. */
export async function openClients({ count, seed, port, folder, tally }: ClientsOptions): Promise<readonly Client[]> {
  const overStdio = Math.max(1, Math.floor(count / perStdioClient));
  const open = async (_: unknown, number: number): Promise<Client> => {
    const random = new Random(seed * 1000 + number + 1);
    const common = {
      decide: () => random.oneOf(['accept', 'accept', 'decline', 'cancel'] as const),
      onLost: (why: string) => tally.fail('the connection', `client ${number}`, 'lost', '', why),
    };
    if (number >= overStdio) return { random, caller: await HttpCaller.open({ ...common, port, token: tokenOf(number % callers) }) };
    const args = [program, 'mcp', '--config', await folder.stdioConfig(number)];
    return { random, caller: await StdioCaller.open({ ...common, args, cwd: folder.place, env: environmentIn(folder.place) }) };
  };
  return Promise.all(Array.from({ length: count }, open));
}
