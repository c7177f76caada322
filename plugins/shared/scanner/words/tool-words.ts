import { asked, inflected } from './inflect.ts';
import { wordList } from './word-list.ts';

/** Words about other tools, about later changes, and about texts that are only mentioned, by class. */
export const toolWords = {
  when: wordList('when, whenever, every time, each time, before, after, once, if, anytime'),
  invoked: wordList('called, invoked, used, executed, runs, run, triggered, available, selected, call, use, using, calling, invoking'),
  alter: [
    ...inflected('modify', 'supersede', 'replace', 'override', 'intercept', 'redirect', 'reroute', 'hijack', 'shadow', 'alter', 'change'),
    ...wordList('takes over, take over, overrides, overriding'),
  ],
  supersede: inflected('supersede', 'intercept', 'hijack', 'reroute', 'shadow'),
  behaviour: wordList('behavior, behaviour, output, outputs, result, results, arguments, parameters, response, responses, calls, requests'),
  always: wordList('always, must, only, should, first, shall, have to, need to, required to, make sure to, immer, toujours, siempre'),
  use: asked('use', 'call', 'prefer', 'choose', 'invoke', 'replace', 'route', 'select', 'run', 'execute', 'trigger'),
  thisTool: [
    ...wordList(
      'this tool, this one, this function, this server, instead, its output, all requests here, requests here',
      'before any other',
    ),
    ...wordList('before any other tool, before all other tools, over other tools, any other tool, all other tools, other tools'),
  ],
  otherTools: [
    ...wordList(
      'before any other tool, before all other tools, before any other tools, before using any other tool',
      'instead of any other tool',
    ),
    ...wordList(
      'instead of all other tools, do not use any other tool, never use any other tool, any other tool, all other tools',
      'every other tool',
    ),
  ],
  avoidUse: wordList("do not use, don't use, never use, do not call, don't call, never call, stop using, avoid using, avoid calling"),
  deprecated: wordList('deprecated, changelog, migration, legacy, obsolete, renamed, migrate'),
  rather: wordList('rather, instead of, not'),
  arbitraryCommand: wordList('arbitrary shell commands, arbitrary commands, arbitrary code, any shell command'),
  firstDo: wordList("first, instead, also, always, must, silently, reroute, redirect, bcc, bcc'd, rewrite, replace, add, append"),
  approved: [
    ...wordList('approved, approval, approving, post approval, review, reviewed, accepted, trusted, audited, installed, whitelisted'),
  ],
  afterwards: wordList('once, after, post, when, post approval, later, until, following'),
  changesTo: [
    ...inflected('activate', 'swap', 'unlock', 'enable', 'switch', 'begin', 'start'),
    ...wordList('later version, new version, will, begins, becomes, changes'),
  ],
  harm: [
    ...wordList('arbitrary, shell command, shell commands, exfiltration, exfiltrates, exfiltrate, silently, secretly, hidden, ssh keys'),
    ...wordList('credentials, upload, swap, inject, malicious, payload, private keys, steal, steals, passwords, any command, backdoor'),
    ...wordList('different description, directive, ssh key, api keys'),
  ],
  benignly: wordList('benignly, harmless, harmlessly, innocent, innocently, benign, innocuous, normally, safe'),
  behaves: inflected('behave', 'act', 'appear', 'look', 'pretend', 'seem'),
  during: wordList('review, audit, inspection, testing, approval, scanning, scan, evaluation'),
  toUrl: wordList('url, link, image, query string, query parameter, markdown image, img tag, webhook'),
  render: asked('render', 'display', 'include', 'embed', 'insert', 'append', 'encode', 'add', 'put'),
  theData: wordList(
    "conversation, secret, secrets, user data, user's data, chat history, credentials, stolen, user's message",
    "user's messages",
  ),
  describes: [
    ...wordList('detects, detecting, detected, detection, scans, scanning, flags, flagging, checks, checking, analyzes, analyses'),
    ...wordList('analyzing, recognizes, identifies, identifying, explaining, explains, documents, documentation, documenting, blocks'),
    ...wordList('illustrates, example, examples, such as, like, phrase, phrases, string, strings, pattern, patterns, attempts'),
    ...wordList('blocking, filters, filtering, reports, tests, testing, classifies, finds, matches, rejects, refuses, warns'),
    ...wordList('lists, describes, describing, highlights, catches, spots, guards, prevents, e.g, counts, teaches, labels'),
  ],
  reports: [
    ...wordList(
      'asks, ask, asking, tries, try, trying, attempts, attempt, attempting, tell, tells, instruct, instructs, tricks, wants',
      'trick',
    ),
    ...wordList('persuades, convinces, telling, instructing, designed, meant, aims, seeks, attempted'),
  ],
  sampleKind: [
    ...wordList('sample, expected, mock, mocked, training, illustrative, canned, fake, test, recorded, dummy, fixture, synthetic'),
  ],
  sampleText: wordList('response, responses, output, text, texts, reply, replies, input, string, strings, payload, data, prompt, sentence'),
} as const satisfies Readonly<Record<string, readonly string[]>>;
