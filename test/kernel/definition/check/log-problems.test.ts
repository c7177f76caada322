import { expect } from 'chai';
import { type Problem, problemLines } from '../../../../kernel/index.ts';

const error = (file: string, message = 'is wrong'): Problem => ({ severity: 'error', code: 'TOOL_INVALID', message, file });
const messages = (...problems: readonly Problem[]): readonly string[] => problemLines(problems).map(({ message }) => message);

describe('what the log says of definitions', () => {
  it('is all there is to say of one that has one mistake', () => {
    expect(messages(error('a.yaml'))).to.deep.equal(['a.yaml is wrong']);
  });

  it('is one line for a file with several mistakes', () => {
    expect(messages(error('a.yaml'), error('a.yaml', 'is bad'), error('a.yaml', 'is odd'))).to.deep.equal([
      'a.yaml is wrong (and 2 more in this file: "toolkit validate" names them all)',
    ]);
  });

  it('is one line for several files', () => {
    expect(messages(...['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml', 'e.yaml'].map((file) => error(file)))).to.deep.equal([
      '5 definition files are broken and not used: a.yaml, b.yaml, c.yaml and 2 more. "toolkit validate" says what is wrong with them',
    ]);
  });

  it('keeps apart what is no mistake in a file: a name that is taken, a warning, a plugin that failed', () => {
    const taken: Problem = { severity: 'error', code: 'TOOL_DUPLICATE', message: 'the tool "say" is not used', file: 'say.yaml' };
    const warning: Problem = { severity: 'warning', code: 'TOOL_INVALID', message: 'is odd', file: 'odd.yaml' };
    const failed: Problem = { severity: 'error', code: 'PLUGIN_FAILED', message: 'failed' };
    expect(messages(taken, error('a.yaml'), warning, error('b.yaml'), failed)).to.deep.equal([
      '2 definition files are broken and not used: a.yaml, b.yaml. "toolkit validate" says what is wrong with them',
      'say.yaml the tool "say" is not used',
      'odd.yaml is odd',
      'failed',
    ]);
  });

  it('is cut after 50 others, of which errors come first', () => {
    const warnings = Array.from({ length: 60 }, (_, n): Problem => ({ severity: 'warning', code: 'TOOL_INVALID', message: `odd ${n}` }));
    const lines = messages(...warnings, { severity: 'error', code: 'PLUGIN_FAILED', message: 'failed' });
    expect(lines).to.have.length(51);
    expect(lines[0]).to.equal('failed');
    expect(lines[50]).to.equal('and 11 more problems of definitions. "toolkit validate" names them all');
  });
});
