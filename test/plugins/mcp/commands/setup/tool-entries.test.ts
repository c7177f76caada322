import { expect } from 'chai';
import { toolEntries } from '../../../../../plugins/mcp/commands/setup/tool-entries.ts';
import { toolFilter } from '../../../../../plugins/shared/exposure/tool-filter.ts';

const known = [
  'free',
  'slack_list',
  'slack_send',
  'slack_send_file',
  'shop_a',
  'shop_b',
  'slackish_one',
  'mail_in_read',
  'mail_out_send',
  'mail_out_list',
];

const cases: { title: string; chosen: readonly string[]; entries: readonly string[] | undefined }[] = [
  { title: 'all tools', chosen: known, entries: undefined },
  { title: 'a provider', chosen: ['slack_list', 'slack_send', 'slack_send_file'], entries: ['slack_*'] },
  { title: 'two providers', chosen: ['shop_a', 'shop_b', 'slack_list', 'slack_send', 'slack_send_file'], entries: ['shop_*', 'slack_*'] },
  { title: 'a provider whose prefix another one shares', chosen: ['mail_out_send', 'mail_out_list'], entries: ['mail_out_*'] },
  { title: 'a tool that is alone in its provider', chosen: ['slackish_one'], entries: ['slackish_one'] },
  { title: 'a tool without an underscore', chosen: ['free', 'shop_a', 'shop_b'], entries: ['free', 'shop_*'] },
  { title: 'a part of a provider', chosen: ['slack_list', 'slack_send'], entries: ['slack_list', 'slack_send'] },
];

describe('the names for --tools', () => {
  for (const { title, chosen, entries } of cases) {
    it(`offer ${title} and nothing else`, () => {
      expect(toolEntries(chosen, known)).to.deep.equal(entries);
      const offered = known.map((name) => ({ name })).filter(toolFilter(entries, undefined, known));
      expect(offered.map(({ name }) => name)).to.have.members([...chosen]);
    });
  }
});
