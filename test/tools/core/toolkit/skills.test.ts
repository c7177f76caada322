import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const text = `---
name: shop
description: How to use the shop. Load it before ordering.
license: MIT
---

# Shop

Intro.

## Orders

Ünïcode.

\`\`\`sh
# not a heading
\`\`\`

### Returns

Within 30 days.

## Limits

Ten a minute.
`;

async function shop(): Promise<Toolkit> {
  const cwd = await temporaryFolder({ 'skills/shop/SKILL.md': text });
  return coreToolkit({ cwd, skillPaths: ['skills'] });
}

describe('toolkit_list_skills', () => {
  it('lists every skill with its address', async () => {
    const { skills } = (await (await shop()).execute('toolkit_list_skills')) as { skills: { name: string }[] };
    expect(skills.map(({ name }) => name)).to.include.members(['core', 'shop']);
    expect(skills.find(({ name }) => name === 'shop')).to.deep.equal({
      name: 'shop',
      description: 'How to use the shop. Load it before ordering.',
      uri: 'skill://shop/SKILL.md',
    });
  });

  it('lists those of one provider, and none for a stranger', async () => {
    const toolkit = await shop();
    expect(await toolkit.execute('toolkit_list_skills', { provider: 'shop' })).to.have.nested.property('skills.length', 1);
    expect(await toolkit.execute('toolkit_list_skills', { provider: 'nobody' })).to.deep.equal({ skills: [] });
  });
});

describe('toolkit_get_skill', () => {
  const all = ['Shop', 'Orders', 'Returns', 'Limits'];

  it('gives the text without its front matter, and names the sections', async () => {
    const skill = await (await shop()).execute('toolkit_get_skill', { name: 'shop' });
    expect(skill).to.deep.equal({ name: 'shop', content: text.slice(text.indexOf('# Shop')), sections: all });
  });

  const sections = [
    { wanted: ['orders'], content: text.slice(text.indexOf('## Orders'), text.indexOf('## Limits')) },
    {
      wanted: ['Limits', 'Returns'],
      content: `## Limits\n\nTen a minute.\n\n${text.slice(text.indexOf('### Returns'), text.indexOf('## Limits'))}`,
    },
    { wanted: ['Shop'], content: text.slice(text.indexOf('# Shop')) },
  ];
  for (const { wanted, content } of sections) {
    it(`gives ${wanted.join(' and ')} with what lies below`, async () => {
      const skill = await (await shop()).execute('toolkit_get_skill', { name: 'shop', sections: wanted });
      expect(skill).to.deep.equal({ name: 'shop', content, sections: all });
    });
  }

  it('names what there is for an unknown skill and an unknown section', async () => {
    const toolkit = await shop();
    expect((await rejection(toolkit.execute('toolkit_get_skill', { name: 'shp' }), 'NOT_FOUND')).message).to.include(
      'Did you mean "shop"?',
    );
    const error = await rejection(toolkit.execute('toolkit_get_skill', { name: 'shop', sections: ['not a heading'] }), 'NOT_FOUND');
    expect(error.message).to.include('Those there are: Shop, Orders, Returns, Limits.');
  });
});

describe('toolkit_search_skills', () => {
  it('puts the best first, and gives nothing where nothing fits', async () => {
    const toolkit = await shop();
    const { skills } = (await toolkit.execute('toolkit_search_skills', { query: 'returns of the shop' })) as { skills: { name: string }[] };
    expect(skills[0]).to.include({ name: 'shop' });
    for (const query of ['a returned order', 'retuns'])
      expect(await toolkit.execute('toolkit_search_skills', { query }), query).to.have.nested.property('skills[0].name', 'shop');
    expect(await toolkit.execute('toolkit_search_skills', { query: 'xyzzyqqq' })).to.deep.equal({ skills: [] });
    expect(await toolkit.execute('toolkit_search_skills', { query: 'tools', limit: 1 })).to.have.nested.property('skills.length', 1);
  });
});

describe('toolkit_get_tool', () => {
  it('shows what a caller needs, and nothing of execution and credentials', async () => {
    const toolkit = await shop();
    const shown = (await toolkit.execute('toolkit_get_tool', { name: 'system_execute' })) as Record<string, unknown>;
    expect(shown).to.include({ name: 'system_execute', provider: 'core', risk: 'high', requires_approval: true });
    expect(shown).to.have.nested.property('input_schema.properties.command.type', 'string');
    expect(shown).to.have.nested.property('output_schema.properties.exit_code');
    expect(shown['example']).to.be.an('object');
    expect(shown).to.not.have.any.keys('execution', 'credentials', 'secrets');
  });

  it('suggests a name for one that is not there', async () => {
    const error = await rejection((await shop()).execute('toolkit_get_tool', { name: 'fs_read_fle' }), 'TOOL_NOT_FOUND');
    expect(error.message).to.include('Did you mean "fs_read_file"?');
  });
});
