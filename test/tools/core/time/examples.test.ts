import { expect } from 'chai';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('the examples of the time tools', () => {
  const shared = sharedToolkit();
  const names = [
    ...['time_now', 'time_convert_timezone', 'time_parse', 'time_format', 'time_add', 'time_difference', 'time_business_days'],
    ...['time_next_cron', 'time_list_timezones'],
  ];

  it('are all there', () => {
    const found = shared.toolkit.listTools().filter(({ name }) => name.startsWith('time_'));
    expect(found.map(({ name }) => name)).to.have.members(names);
  });

  for (const name of names) {
    it(`run for ${name} and give what they promise`, async () => {
      const { examples = [] } = shared.toolkit.kernel.registry.get(name).definition;
      expect(examples).to.not.have.length(0);
      for (const { parameters, output } of examples) {
        const given = await shared.toolkit.execute(name, parameters);
        expect(given).to.be.an('object');
        if (output !== undefined) expect(given).to.deep.equal(output);
      }
    });
  }
});
