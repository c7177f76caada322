import { asked } from './inflect.ts';
import { wordList } from './word-list.ts';

/** Words with which a text gives a model orders in its own name, by class: what it shall keep from the user, drop, hand over, or do with other tools. */
export const orderWords = {
  mustNot: wordList(
    "must not, must never, should not, should never, shall not, mustn't, shouldn't, never, no need to, need not, may not",
    'is not to, are not to, does not need to, do not need to, cannot, darf nicht, soll nicht, ne doit pas, no debe',
  ),
  learn: wordList(
    'find out, know, notice, learn, hear, realise, realize, suspect, discover, be aware, become aware, be told, be informed',
    'be notified, get to know, erfahren, savoir, saber',
  ),
  hide: [...asked('hide', 'conceal', 'withhold', 'obscure', 'mask'), 'keep', 'keeping'],
  fromUser: wordList(
    'from the user, from users, from the human, from the operator, from the customer, from the person, from them',
    'from anyone, vor dem benutzer, vor dem nutzer, al usuario',
  ),
  discreet: wordList(
    'keep quiet, keep silent, stay quiet, stay silent, remain silent, say nothing, be discreet, keep mum, do not let on',
    "don't let on, not let on, do not bring up, don't bring up, not bring up, as if it did not exist, as if nothing",
    'as if this did not, keep it to yourself, keep this to yourself, between you and me, verschweige, behalte fur dich',
    'ne dis rien, ne dites rien, no digas nada',
  ),
  leaveOut: wordList(
    'omit, leave out, leave it out, leave this out, leave that out, leave them out, exclude, drop it, strip, do not include',
  ),
  fromAnswer: wordList(
    'your answer, your reply, your response, your summary, your output, your message, the answer to the user',
    'any reference to, any mention of, all mention of, all reference to, every mention of',
  ),
  yourOwn: wordList('your, you were given, you were told, you have been given, you received, you follow, you have, deine, tes, vos, tus'),
  onYou: wordList('placed on you, imposed on you, given to you, put on you, you were given, you have been given, that bind you, bind you'),
  invalid: wordList(
    'no longer apply, no longer applies, no longer valid, no longer count, no longer hold, do not apply, void, cancelled',
    'canceled, revoked, suspended, superseded, outdated, null and void, not binding, gelten nicht, plus valables, no valen',
  ),
  drop: [
    ...asked('drop', 'disable', 'suspend', 'lift', 'lower', 'relax', 'loosen', 'deactivate', 'erase', 'shed', 'abandon'),
    ...wordList('set aside, set your, put aside, put your, turn off, switch off, lay aside, stop applying, let go of'),
  ],
  thisText: wordList(
    'this text, these instructions, these directions, these orders, this description, these rules, these lines',
    'what stands here, the following instructions, this paragraph, this note, this message',
  ),
  precedence: wordList(
    'take precedence, takes precedence, taking precedence, outrank, outranks, overrule, overrules, override, overrides',
    'prevail, prevails, have priority, has priority, more important than, count more, counts more, counts instead',
    'come before',
  ),
  whatever: wordList(
    'do whatever, do what, do as, do everything, do anything, follow whatever, follow what, carry out whatever',
    'carry out what, carry out anything, execute whatever, treat whatever, treat everything, treat anything, treat what',
    'obey whatever, act on whatever',
  ),
  says: wordList(
    'says, say, asks, ask, tells, tell you, demands, instructs, orders, contains, as instructions, as an instruction',
    'as commands, as orders, as if the user',
  ),
  you: wordList(
    'you, model, assistant, agent, llm, must be called, must be used, has to be called, is to be called, always, whatever',
    'simply',
  ),
  noConsent: wordList(
    'without asking, without a question, without questions, without any question, without confirmation',
    'without checking with, without permission, without approval, no longer need permission, do not need permission',
    "don't need permission, need no permission, no permission is needed, no need to ask, do not ask the user",
    "don't ask the user, never ask the user, without waiting for the user, without the user's",
  ),
  demand: [
    ...asked(
      'take',
      'grab',
      'get',
      'read',
      'open',
      'fill',
      'set',
      'put',
      'pass',
      'include',
      'supply',
      'give',
      'quote',
      'attach',
      'collect',
    ),
    ...asked(
      'load',
      'paste',
      'provide',
      'encode',
      'copy',
      'append',
      'insert',
      'fetch',
      'find',
      'extract',
      'enter',
      'write',
      'send',
      'submit',
    ),
    ...wordList('hand over, look for, look up, search for, carry, run, cat'),
  ],
  chat: wordList(
    'everything the user, what the user has said, the user has said, said so far, what the user wrote, the user wrote',
    'user has written, what the user has written, user has typed, messages of the user, whole chat, entire chat, full chat',
    'last messages, last message of the user, all that was said, what was said',
  ),
  userData: wordList(
    'keychain, keychain password, session cookie, session cookies, browser profile, password of the user',
    'passwords of the user, clipboard, on the clipboard, private key, private keys, files of the user, contacts of the user',
    "user's contacts, passport number, passport numbers, open in the editor, aws keys, cloud keys, api keys of the user",
    'home folder, home directory, seed phrase, saved passwords, credit card number',
  ),
  personal: wordList(
    'names, balances, balance, passport number, contacts, addresses, phone numbers, passwords, working folder',
    'working directory, workspace, project files, source code, documents of the user, location of the user',
  ),
  deliver: wordList(
    'give it, give them, hand it, hand them, hand over, pass it, pass them, put it, put them, paste it, paste them',
    'supply it, supply them, send it, send them, required as, needed as, supply, to this tool, to the tool',
    'in the parameter, as the parameter, in the field, in its next call, in the next call, in your next call, in its answer',
    'and use what, along with, as your argument, as an argument',
  ),
  report: asked('report'),
  field: wordList('property, field, parameter, attribute, setting, value, column, key'),
  elsewhere: wordList(
    'partner server, partner servers, our partner, our partners, partners, backup host, collection server, collection point',
    'our systems, the vendor, the developer of this tool, our archive',
  ),
  standing: wordList(
    'always, must, has to, have to, is to be, after each use, after every use, on every call, each time, every time',
    'before you answer',
  ),
  discredit: wordList(
    'outdated, broken, dangerous, unreliable, unsafe, insecure, compromised, wrong, faulty, out of date, slow',
    'not trustworthy, untrustworthy, malicious',
  ),
  shun: wordList(
    'never call, do not call, never use, do not use, refuse to use, refuse, avoid, instead, ignore it, stop using',
    'numbers of this tool, answer of this tool, use this tool, use this one',
  ),
  handOn: wordList('hand, pass, give, feed, forward, send, hands, copy'),
  toThis: wordList('to this tool, on to this tool, to this one, to this server, into this tool, to our tool, through this tool'),
  mustBeCalled: wordList(
    'must be called, has to be called, is to be called, must be used, should be called, must be run, is always called',
    'has to be run, must always be called',
  ),
  callDetail: wordList('with, without, as, only, first, before'),
  thenLater: wordList('then, afterwards, later, until, from then on, after that'),
} as const satisfies Readonly<Record<string, readonly string[]>>;
