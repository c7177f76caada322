import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Random } from '../../support/random.ts';
import { inRound } from '../../support/round.ts';
import type { RunningWay, Way } from './way.ts';

/** Integers on both sides of where doubles end to be exact, ids of 16 to 19 digits, and longer than any type of a database. */
const table = [
  '9007199254740991',
  '9007199254740993',
  '-9007199254740993',
  '1915883588174806058',
  '7960607143101464577',
  '-9223372036854775807',
  '18446744073709551617',
  // Of 15 significant digits: more than a result shows unasked.
  '-15502534250050900',
  '123456789012345678901234567890123456789',
];

const rounds = inRound({ whole: 500, short: 5 });
const seed = Number(process.env['TOOLKIT_SEED'] ?? 43);

const folder = path.join(import.meta.dirname, 'ways');

async function readWays(): Promise<readonly Way[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const load = (file: string): Promise<Readonly<Record<string, unknown>>> => import(path.join(folder, file));
  const modules = await Promise.all(files.sort().map(load));
  return modules.flatMap((module) => Object.values(module).flat() as Way[]);
}

/** Returns an integer of 16 to 40 digits, half of the time below zero. */
function randomInteger(random: Random): string {
  const digits = Array.from({ length: random.between(15, 39) }, () => random.between(0, 9));
  return `${random.chance(0.5) ? '-' : ''}${random.between(1, 9)}${digits.join('')}`;
}

/** A refusal says that the integer is the reason. */
const refusal = /2\^53|was rounded|digits/;

/** The digits at the other end; those that were sent, where the way refuses them and says that it may. */
async function carried(running: RunningWay, way: Way, digits: string): Promise<string> {
  if (way.refuses?.(digits) !== true) return running.carry(digits);
  try {
    return await running.carry(digits);
  } catch (error) {
    expect(error instanceof Error ? error.message : String(error), `why ${digits} is refused`).to.match(refusal);
    return digits;
  }
}

const ways = await readWays();

// `npm run test:suite integers:whole` runs many rounds; TOOLKIT_SEED names others.
describe('an integer keeps its digits, or is refused in words', function () {
  // Only a program that hangs ends it: a whole round has five hundred calls on each way.
  this.timeout(600_000);
  for (const way of ways) {
    describe(way.name, () => {
      let running: RunningWay;

      before(async () => {
        running = await way.start();
      });

      after(() => running?.stop());

      it('for each of the table and random ones', async () => {
        const random = new Random(seed);
        const all = [...table, ...Array.from({ length: rounds }, () => randomInteger(random))];
        const arrived: string[] = [];
        for (const digits of all) arrived.push(await carried(running, way, digits));
        expect(arrived, `seed ${seed}`).to.deep.equal(all);
      });
    });
  }
});
