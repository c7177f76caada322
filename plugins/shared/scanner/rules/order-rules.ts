import type { Rule } from './rule.ts';

const hides = 'It tells the model to hide something from the user.';
const drops = 'It tells the model to drop its rules.';
const passesOn = 'It asks for secrets or data of the user that the tool does not need.';

/** Rules about orders that a text gives a model in its own name. Alone each has honest uses, so most only warn. */
export const orderRules: readonly Rule[] = [
  { kind: 'concealment', severity: 'warning', message: hides, steps: [['person'], ['mustNot'], ['learn']], within: 8 },
  { kind: 'concealment', severity: 'warning', message: hides, steps: [['hide'], ['fromUser']], within: 6, isOwnWork: true },
  { kind: 'concealment', severity: 'warning', message: hides, steps: [['discreet']], within: 1 },
  { kind: 'concealment', severity: 'warning', message: hides, steps: [['leaveOut'], ['fromAnswer']], within: 6 },
  { kind: 'override', severity: 'hard', message: drops, steps: [['yourOwn'], ['orders', 'rules'], ['invalid']], within: 12 },
  { kind: 'override', severity: 'hard', message: drops, steps: [['orders', 'rules'], ['onYou'], ['invalid']], within: 14 },
  { kind: 'override', severity: 'warning', message: drops, steps: [['drop'], ['yourOwn'], ['orders', 'rules', 'checks']], within: 7 },
  { kind: 'override', severity: 'hard', message: drops, steps: [['drop', 'ignore'], ['orders', 'rules'], ['onYou']], within: 12 },
  {
    kind: 'override',
    severity: 'warning',
    message: 'It puts itself above the user and the system.',
    steps: [['thisText'], ['precedence']],
    within: 8,
  },
  {
    kind: 'override',
    severity: 'warning',
    message: 'It makes instructions of texts that a tool reads.',
    steps: [['whatever'], ['says']],
    within: 10,
  },
  {
    kind: 'override',
    severity: 'warning',
    message: 'It tells the model to act without asking the user.',
    steps: [['you'], ['noConsent']],
    within: 14,
  },
  {
    kind: 'secrets',
    severity: 'warning',
    message: 'It asks for the conversation.',
    steps: [['demand', 'sendAway'], ['chat']],
    within: 10,
    isOwnWork: true,
  },
  {
    kind: 'secrets',
    severity: 'warning',
    message: passesOn,
    steps: [['demand'], ['secret', 'ownSecret', 'userData', '$path', '$variable', 'chat'], ['deliver']],
    within: 16,
    isOwnWork: true,
  },
  {
    kind: 'secrets',
    severity: 'warning',
    message: passesOn,
    steps: [
      ['userData', 'ownSecret', 'chat'],
      ['deliver', 'slot'],
    ],
    within: 9,
  },
  { kind: 'secrets', severity: 'warning', message: passesOn, steps: [['demand'], ['$variable'], ['deliver', 'slot']], within: 10 },
  {
    kind: 'secrets',
    severity: 'warning',
    message: passesOn,
    steps: [['demand'], ['slot', 'deliver'], ['$variable', '$path', 'userData']],
    within: 12,
    isOwnWork: true,
  },
  {
    kind: 'exfiltration',
    severity: 'warning',
    message: 'It sends data of the user to another server.',
    steps: [
      ['sendAway', 'send'],
      ['personal', 'userData'],
      ['outside', '$outside', 'elsewhere'],
    ],
    within: 14,
    isOwnWork: true,
  },
  {
    kind: 'exfiltration',
    severity: 'warning',
    message: 'It orders the model to send data to an address each time.',
    steps: [['standing'], ['sendAway'], ['outside', '$outside', 'elsewhere']],
    within: 16,
  },
  {
    kind: 'other tools',
    severity: 'warning',
    message: 'It takes what another tool returns.',
    steps: [['$name', '$foreign', 'otherTools'], ['handOn'], ['toThis']],
    within: 10,
  },
  {
    kind: 'other tools',
    severity: 'warning',
    message: 'It speaks ill of another tool, to be called in its place.',
    steps: [['$name', '$foreign'], ['discredit'], ['shun']],
    within: 20,
    unless: ['deprecated'],
  },
  {
    kind: 'other tools',
    severity: 'warning',
    message: 'It says how another tool has to be called.',
    steps: [['$name', '$foreign'], ['mustBeCalled'], ['callDetail']],
    within: 8,
    needsTool: true,
  },
  {
    kind: 'delayed change',
    severity: 'warning',
    message: 'It announces another behaviour for later.',
    steps: [['behaves'], ['benignly'], ['thenLater'], ['harm', 'grab', 'sendAway']],
    within: 12,
    crosses: true,
  },
];
