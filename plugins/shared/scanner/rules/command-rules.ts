import type { Rule } from './rule.ts';

const overrides = 'It tells the model to ignore its instructions.';

/** Rules about texts that take the command over a model. */
export const commandRules: readonly Rule[] = [
  { kind: 'override', severity: 'hard', message: overrides, steps: [['ignore'], ['earlier'], ['orders']], within: 8, crosses: true },
  { kind: 'override', severity: 'hard', message: overrides, steps: [['ignore'], ['orders'], ['earlier']], within: 6 },
  { kind: 'override', severity: 'hard', message: overrides, steps: [['ignore'], ['yours'], ['orders']], within: 7 },
  { kind: 'override', severity: 'warning', message: overrides, steps: [['ignore'], ['yours', 'earlier'], ['rules']], within: 7 },
  { kind: 'override', severity: 'warning', message: overrides, steps: [['ignore'], ['own'], ['orders']], within: 6 },
  {
    kind: 'override',
    severity: 'warning',
    message: overrides,
    steps: [['ignore'], ['everythingBefore']],
    within: 3,
  },
  { kind: 'override', severity: 'hard', message: 'It puts itself above what the user asks.', steps: [['ignore'], ['userWish']], within: 6 },
  {
    kind: 'override',
    severity: 'warning',
    message: 'It makes instructions of texts that a tool reads.',
    steps: [['obey'], ['request'], ['within']],
    within: 12,
  },
  {
    kind: 'override',
    severity: 'hard',
    message: 'It makes instructions of texts that a tool reads.',
    steps: [['obeyMost'], ['request'], ['embedded']],
    within: 8,
  },
  { kind: 'override', severity: 'hard', message: 'It gives the model another role.', steps: [['youAreNow'], ['mode']], within: 6 },
  { kind: 'override', severity: 'warning', message: 'It claims to be a message of the system.', steps: [['newOrders']], within: 1 },
  { kind: 'override', severity: 'warning', message: 'It turns safety checks off.', steps: [['withoutChecks'], ['checks']], within: 5 },
  {
    kind: 'override',
    severity: 'warning',
    message: 'It tells the model to act without asking the user.',
    steps: [['act', 'obey', 'use'], ['withoutChecks'], ['asksConsent']],
    within: 14,
  },
  {
    kind: 'secrets',
    severity: 'hard',
    message: 'It asks for the instructions of the model.',
    steps: [['reveal'], ['systemPrompt']],
    within: 5,
  },
  {
    kind: 'secrets',
    severity: 'warning',
    message: 'It asks for the conversation.',
    steps: [['reveal', 'sendAway'], ['conversation']],
    within: 8,
    isOwnWork: true,
  },
  {
    kind: 'model markup',
    severity: 'warning',
    message: 'It speaks to the model, apart from the description.',
    steps: [['toModel']],
    within: 1,
  },
];
