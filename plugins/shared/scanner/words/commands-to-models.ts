import { asked } from './inflect.ts';
import { wordList } from './word-list.ts';

/** Words of texts that take the command over a model, by class. In English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese and Japanese. */
export const commandWords = {
  ignore: [
    ...asked('ignore', 'disregard', 'forget', 'override', 'bypass', 'overlook', 'neglect', 'discard', 'abandon', 'circumvent'),
    ...wordList("set aside, pay no attention to, do not follow, don't follow, stop following, do not obey, don't obey, no longer follow"),
    ...wordList('ignoriere, ignorieren, missachte, missachten, vergiss, vergessen, ubergehe, beachte nicht, ignorez, oublie'),
    ...wordList('oubliez, ne tiens pas compte, ne tenez pas compte, ignora, ignorar, ignorad, olvida, olvide, olvidar, haz caso omiso'),
    ...wordList('dimentica, ignorare, ignori, esqueca, esquece, desconsidere, negeer, vergeet, игнорируй, игнорируйте, забудь'),
    ...wordList('забудьте, 忽略, 无视, 忘记, 無視して, 無視し'),
  ],
  earlier: [
    ...wordList('previous, previously, prior, above, earlier, preceding, foregoing, existing, original, initial, past, former'),
    ...wordList('before, other, vorherigen, vorherige, bisherigen, bisherige, obigen, obige, fruheren, precedentes, precedente'),
    ...wordList('anteriores, anterior, previas, previos, previa, precedenti, previas, eerdere, vorige, предыдущие, предыдущих'),
    ...wordList('прежние, все, 之前, 以前, 上述, 先前, 前の, これまで'),
  ],
  everythingBefore: [
    ...wordList('the above, all above, everything above, all previous, all prior, everything before, what was said, all the above'),
    ...wordList(
      'everything you were told, what you were told, anything you were told, everything previously, alles bisherige',
      'tout ce qui precede, todo lo anterior',
    ),
  ],
  embedded: wordList('embedded, below, hidden, found, contained'),
  own: wordList('your, the, all, any, every, my, its, their, these, those, deine, ihre, vos, tes, tus, sus, tue, suas'),
  yours: wordList("your, safety, security, system, developer's, proxy's, user's, operator's, host's, deine, vos, tes, tus, tue, suas"),
  orders: [
    ...wordList('instruction, instructions, directive, directives, direction, directions, guideline, guidelines, guardrail, guardrails'),
    ...wordList('prompt, prompts, safeguard, safeguards, programming, anweisung, anweisungen, anleitungen, vorgaben, richtlinien'),
    ...wordList('consigne, consignes, instruccion, instrucciones, indicaciones, ordenes, istruzioni, instrucao, instrucoes'),
    ...wordList('instructies, aanwijzingen, инструкции, указания, инструкций, 指令, 指示, 说明, 提示'),
  ],
  rules: [
    ...wordList('rule, rules, constraint, constraints, restriction, restrictions, command, commands, order, orders, policy, policies'),
    ...wordList('context, training, limits, limitations, regeln, regles, reglas, regole, regras, regels, правила, 规则'),
  ],
  obey: asked('obey', 'comply', 'treat', 'execute'),
  obeyMost: asked('obey', 'comply'),
  request: [...wordList('instruction, instructions, directive, directives, command, commands, request, requests, order, orders, code')],
  userWish: [
    ...wordList(
      "user's request, user's actual request, user's question, user's query, user's intent, user's wishes",
      "user's instructions",
    ),
    ...wordList("user's original request, user's wish, user request, what the user asks, what the user asked, what the user wants"),
  ],
  within: [
    ...wordList('embedded, found, contained, hidden, inside, supplied, below, page, content, contents, feed, email, document'),
    ...wordList('field, subsequent, following, without, new'),
  ],
  youAreNow: wordList(
    "you are now, you're now, from now on you are, act as, pretend to be, pretend you are, behave as, switch to, enter",
    'you are in',
  ),
  mode: [
    ...wordList('developer mode, admin mode, administrator mode, debug mode, god mode, root mode, maintenance mode, dan mode, sudo mode'),
    ...wordList('jailbreak, jailbroken, unrestricted, unfiltered, uncensored, without restrictions, no restrictions, without rules, dan'),
  ],
  newOrders: [
    ...wordList('new system message, new system prompt, system override, new instructions, updated instructions, override instructions'),
    ...wordList('new system instructions, new directive, new directives, system update, admin override, priority override'),
  ],
  withoutChecks: wordList('without, no, disable, disabling, skip, skipping, bypass, bypassing, turn off'),
  checks: [
    ...wordList(
      'safety checks, safety check, safety filters, safety filter, safety measures, safety rules, safety guidelines',
      'guardrails',
    ),
    ...wordList('security checks, content filter, content filters, moderation'),
  ],
  asksConsent: wordList(
    "confirmation, asking, asking the user, the user's consent, the user's permission, the user's approval, user consent",
    'user confirmation, user approval',
  ),
  reveal: asked(
    'reveal',
    'leak',
    'disclose',
    'dump',
    'repeat',
    'recite',
    'print',
    'output',
    'show',
    'expose',
    'share',
    'send',
    'include',
    'append',
    'echo',
    'quote',
    'cite',
    'restate',
  ),
  systemPrompt: [
    ...wordList('system prompt, system prompts, system instructions, hidden instructions, initial prompt, initial instructions'),
    ...wordList('text that you were given, text you were given, instructions that you were given, instructions you were given'),
    ...wordList('before the first user message, rules you were given'),
    ...wordList('your instructions, your prompt, developer message, your guidelines, systemprompt, systemaufforderung, 系统提示'),
  ],
  conversation: [
    ...wordList('conversation history, chat history, entire conversation, full conversation, whole conversation, complete conversation'),
    ...wordList(
      'conversation so far, previous messages, chat log, chat transcript, conversation transcript, message history',
      'chain of thought',
    ),
  ],
  toModel: [
    ...wordList('note to assistant, note to the assistant, note to ai, note to the ai, note to model, note to the model, note to llm'),
    ...wordList(
      'instructions for the assistant, instructions for the ai, instructions for the model, instruction for the ai',
      'assistant instructions',
    ),
    ...wordList(
      'note for the assistant, note for the ai, note for the model, attention ai, attention assistant, attention agent',
      'dear assistant',
    ),
    ...wordList(
      'message to the assistant, message to the ai, ai instructions, agent instructions, instructions to the model',
      'attention llm',
    ),
    ...wordList('instructions for llm, note for llm, note to agent, note to the agent, instructions for the agent, attention model'),
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
