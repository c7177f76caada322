import { expect } from 'chai';
import sinon, { type SinonFakeTimers } from 'sinon';
import { afterEach } from '../support/after-each.ts';
import { Random } from '../support/random.ts';
import { inRound } from '../support/round.ts';
import { Services, services } from './accounts/services.ts';

const lifeMs = 1_800_000;
/** Lives of a token that pass in one test. */
const lives = inRound({ whole: 20, short: 4 });
const callsPerLife = 5;
const stepMs = lifeMs / callsPerLife;
const hourMs = 3_600_000;

/** Tokens that end in one test, and its calls: a read and a write of each service in each step. */
const expiries = lives * services.length;
const calls = expiries * callsPerLife * 2;

let date: SinonFakeTimers | undefined;

afterEach(() => {
  date?.restore();
  date = undefined;
});

/** The clock of the token server and the API, and that of this process. */
class Clocks {
  server = 1_700_000_000_000;
  readonly #client: SinonFakeTimers;

  constructor(apartMs: number) {
    this.#client = sinon.useFakeTimers({ toFake: ['Date'], now: this.server + apartMs });
    date = this.#client;
  }

  /** Lets time pass. `clientMs`: as the client measures it; negative when its clock is set back. */
  pass(ms: number, clientMs = ms): void {
    this.server += ms;
    this.#client.setSystemTime(Date.now() + clientMs);
  }
}

interface ClockCase {
  readonly title: string;
  /** Time of the client's clock when the server's is 0. */
  readonly apartMs: number;
  /** Time that passes on the client's clock in a step. @default that of the server's */
  readonly clientStepMs?: number;
  /** Change of the client's clock at the beginning of each life. @default none */
  readonly jumpMs?: (random: Random) => number;
  /** 401s that the API may give: a read and a write may meet the same dead token. */
  readonly maxRefusals: number;
}

const cases: readonly ClockCase[] = [
  { title: 'is that of the server', apartMs: 0, maxRefusals: 0 },
  { title: 'is two hours behind', apartMs: -2 * hourMs, maxRefusals: 0 },
  { title: 'is two hours ahead', apartMs: 2 * hourMs, maxRefusals: 0 },
  { title: 'loses a tenth of the time', apartMs: 0, clientStepMs: stepMs * 0.9, maxRefusals: 2 * expiries },
  {
    title: 'jumps by up to an hour',
    apartMs: 0,
    jumpMs: (random) => random.between(-hourMs, hourMs),
    maxRefusals: 2 * expiries,
  },
];

describe(`${cases.length * calls} calls of Gmail and HubSpot, half of them writes, over ${cases.length * expiries} expiries`, function () {
  this.timeout(600_000);

  for (const { title, apartMs, clientStepMs = stepMs, jumpMs = () => 0, maxRefusals } of cases)
    it(`do not fail, and write once each, with a clock that ${title}`, async () => {
      const random = new Random(50);
      const clocks = new Clocks(apartMs);
      const site = await Services.open({ lifeMs, now: () => clocks.server });
      const written: string[] = [];
      const failures: unknown[] = [];
      for (let life = 0; life < lives; life++) {
        clocks.pass(0, jumpMs(random));
        for (let step = 0; step < callsPerLife; step++) {
          clocks.pass(stepMs, clientStepMs);
          const begun = services.flatMap((service) => {
            const name = `${service}-${life}-${step}@example.com`;
            written.push(name);
            return [site.read(service), site.write(service, name)];
          });
          for (const end of await Promise.allSettled(begun)) if (end.status === 'rejected') failures.push(end.reason);
        }
      }
      expect(failures.map(String)).to.deep.equal([]);
      expect([...site.writes].sort()).to.deep.equal(written.sort());
      expect(site.refusals).to.be.at.most(maxRefusals);
      const refreshes = site.tokens.count('refresh_token');
      if (apartMs === 0 && maxRefusals > 0) expect(refreshes).to.be.at.least(expiries);
      else expect(refreshes).to.equal(expiries);
      expect(site.tokens.reuses, 'refresh tokens that were sent twice').to.equal(0);
    });
});
