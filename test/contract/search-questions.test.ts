import { expect } from 'chai';
import { foundTools } from '../../plugins/shared/search/ranked-tools.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { loadQuestions } from '../bench/search/questions.ts';
import { isCatalogued } from '../support/catalogue.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools = toolkit.listTools().filter(({ name }) => isCatalogued(name));
const names = new Set(tools.map(({ name }) => name));
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

/** Questions that no shipped tool serves. */
const unserved = [
  'book a flight from Berlin to Lisbon for next Friday',
  'what will the weather be like in Hamburg tomorrow',
  'translate this paragraph into French',
  'order a pizza with mushrooms for tonight',
  'play some jazz music in the living room',
  'turn off the lights in the kitchen',
  'what is the current price of Apple stock',
  'draw a picture of a cat riding a bicycle',
  'find me a recipe for lentil soup',
  'transcribe the audio of this interview',
  'reserve a table for four at an Italian restaurant',
  'how many calories are in a banana',
  'recommend a good horror movie for the weekend',
  'read this text aloud with a female voice',
  'find a doctor near me who treats back pain',
  'rent a car in Madrid for a week',
  'what does my horoscope say today',
  'find the cheapest hotel in Vienna with breakfast',
  'buy two tickets for the concert on Saturday',
  'compose a melody in C minor',
  'how do I get to the train station by bus',
  'unlock the front door',
  'create a Jira ticket for the login bug',
  'restart the EC2 instance of the staging system',
  'upload the backup to an S3 bucket',
  'add a meeting to my Google calendar on Monday at ten',
  'refund the last Stripe payment of this customer',
  'resize this photo to 800 pixels',
  'convert this mp4 into an mp3',
  'generate a QR code for our website',
  'read the text in this scanned receipt',
  'deploy the new version to kubernetes',
  'send a fax to the tax office',
  'post our news on LinkedIn',
  'start a Zoom call with the team',
  'find the opening hours of the city library',
  'insert a document into MongoDB',
  'translate the subtitles of this film into Spanish',
];

describe('the words on how well tools fit', () => {
  const fitsWell = async (query: string): Promise<boolean> => (await foundTools(tools, { query, limit: 5 })).fitsWell;

  for (const question of unserved)
    it(`are that nothing fits well: ${question}`, async () => {
      expect(await fitsWell(question)).to.equal(false);
    });

  it('are said of no question of the tuned half', async () => {
    const doubted: string[] = [];
    for (const { question, half } of questions) if (half === 'tune' && !(await fitsWell(question))) doubted.push(question);
    expect(doubted).to.deep.equal([]);
  });
});

/** Steps of whole jobs (`test/jobs/`) that a tool serves by one of its parameters, with what comes first. */
const steps = [
  { question: 'find the commit that added this line of code', first: 'git_log' },
  { question: 'commits that added or removed this function', first: 'git_log' },
  { question: 'git log -S', first: 'git_log' },
  { question: 'which commit introduced line 42', first: 'git_blame' },
];

describe('a step of a job', () => {
  for (const { question, first } of steps)
    it(`finds ${first}: ${question}`, async () => {
      const { tools: found } = await foundTools(tools, { query: question, limit: 3 });
      expect(found[0]?.tool.name).to.equal(first);
    });
});
