import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { glob } from 'tinyglobby';

/** Where a moment can become what clocks of a named zone show: by Intl, by the zones of luxon, by the zone of a cron library, by Date itself. */
const ways =
  /\btimeZone\b|\bIANAZone\b|\bSystemZone\b|\bnew (?:Cron|Times)\b|['"]croner['"]|\.toLocale(?:Date|Time)String\(|\bgetTimezoneOffset\b|\.get(?:FullYear|Month|Date|Day|Hours|Minutes)\(\)|\bDateTime\.local\(|\bsetZone\(['"](?!utc)|\bzone: ['"](?!utc)/;

/** The room in which zones come from. */
const room = 'plugins/shared/time-zones/';

/** Others, which turn no moment into what clocks show, with what they do instead. */
const others: Readonly<Record<string, string>> = {
  'plugins/cli/commands/doctor/checks/check-clock.ts': 'names the zone of this machine',
  'plugins/console/page/formats/time.ts': 'runs in a browser, and shows the clock of its person',
  'plugins/schedule/jobs.ts': 'asks whether there is a zone of a name',
  'tools/core/time/zone.ts': 'asks whether there is a zone of a name, and lists names',
  'tools/data/calendar/moment.ts': 'names UTC; its package stands alone, and has the zones of Node',
};

describe('the clocks of named zones', () => {
  it('are asked in one room alone, where newer rules count', async () => {
    const files = await glob(['{kernel,plugins,tools}/**/*.{ts,mjs,js}'], { ignore: ['**/node_modules/**', 'tools/*/*.js', '**/*.d.ts'] });
    const found: string[] = [];
    for (const file of files.sort()) if (ways.test(await readFile(file, 'utf8')) && !file.startsWith(room)) found.push(file);
    expect(found).to.deep.equal(Object.keys(others));
  });
});
