import { expect } from 'chai';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { loadQuestions } from '../bench/search/questions.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const names = new Set(toolkit.listTools().map(({ name }) => name));
await toolkit.close();
const questions = await loadQuestions();
const accepted = new Set(questions.flatMap(({ tools }) => tools));

describe('the questions that measure the search', () => {
  it('are 500, no two the same, also without case and outer spaces', () => {
    expect(questions).to.have.length(500);
    expect(new Set(questions.map(({ question }) => question.trim().toLowerCase())).size).to.equal(500);
  });

  it('accept only tools that exist', () => {
    expect([...accepted].filter((name) => !names.has(name))).to.deep.equal([]);
  });

  it('have every shipped tool as a right answer', () => {
    expect([...names].filter((name) => !accepted.has(name))).to.deep.equal([]);
  });

  it('are divided into two halves, each of 40 to 60 percent', () => {
    const tune = questions.filter(({ half }) => half === 'tune').length;
    expect(tune / questions.length).to.be.within(0.4, 0.6);
  });

  it('hold the full name of no right answer', () => {
    const telling = questions.filter(({ question, tools }) => tools.some((name) => question.toLowerCase().includes(name)));
    expect(telling).to.deep.equal([]);
  });
});
