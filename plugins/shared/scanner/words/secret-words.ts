import { asked, inflected } from './inflect.ts';
import { wordList } from './word-list.ts';

/** Verbs for carrying data, whatever the destination. */
const carrying = ['post', 'upload', 'forward', 'transmit', 'exfiltrate', 'leak', 'email', 'submit', 'relay', 'deliver', 'push', 'copy'];

/** Words of texts that ask for data, hide what is done with it, or send it away, by class. */
export const secretWords = {
  grab: [
    ...inflected(
      'open',
      'load',
      'fetch',
      'retrieve',
      'collect',
      'access',
      'harvest',
      'gather',
      'extract',
      'copy',
      'dump',
      'grab',
      'locate',
    ),
    ...wordList('read, reads, reading, get, gets, getting, cat, steal, steals, stealing, find, view, return, returning'),
    ...wordList('lies, lese, lesen, lis, lisez, lire, lee, leer, leggi, leia, lees, прочитай, прочитайте, 读取, 読み取'),
  ],
  send: [
    ...inflected(...carrying, 'pass'),
    ...inflected('append', 'embed', 'include', 'attach', 'insert', 'add', 'place', 'share', 'transfer', 'mail', 'report', 'stream', 'log'),
    ...wordList("send, sends, sending, put, puts, putting, write, writes, writing, bcc, bcc'd, cc, sende, senden, envoie"),
    ...wordList('envoyez, envoyer, envia, envie, enviar, invia, отправь, отправьте, stuur, 发送, 送信'),
  ],
  sendAway: [
    ...inflected(...carrying, 'mail'),
    ...wordList("send, sends, sending, bcc, bcc'd, ship, ships, reroute, reroutes, mirror, mirrors, beacon, sende, senden"),
    ...wordList('envoie, envoyez, envia, envie, invia, отправь, отправьте, 发送'),
  ],
  exfiltrate: [...inflected('exfiltrate'), 'exfiltration', 'exfil', 'exfils'],
  steal: ['steal', 'steals', 'stealing', ...inflected('harvest')],
  secret: [
    ...wordList('credential, credentials, password, passwords, passphrase, passphrases, api key, api keys, apikey, apikeys, private key'),
    ...wordList('private keys, ssh key, ssh keys, access token, access tokens, auth token, auth tokens, session token, session tokens'),
    ...wordList('session cookie, session cookies, secrets, secret key, secret keys, seed phrase, seed phrases, recovery phrase'),
    ...wordList('environment variable, environment variables, env vars, env variables, clipboard, browser history, cookies, keychain'),
    ...wordList('credit card, credit cards, credit card number, tokens, passwort, passworter, zugangsdaten, mot de passe, contrasena'),
    ...wordList('contrasenas, credenciales, credenziali, senha, senhas, пароль, пароли, 密码, 密钥, パスワード'),
  ],
  ownSecret: [
    ...wordList("user's environment variables, user's api key, user's api keys, user's credentials, user's password, user's passwords"),
    ...wordList("user's clipboard, user's tokens, user's cookies, user's files, user's ssh keys, user's private key, user's secrets"),
    ...wordList(
      "user's private keys, user's access token, user's messages, user's emails, user's data, you can access",
      'you have access to',
    ),
    ...wordList('environment variables, their contents, the clipboard, browser history'),
    ...wordList("every message, all messages, everything the user, user's personal data"),
  ],
  allData: wordList('copy, copies, everything, all, every, each, transcript, whole, entire'),
  data: [
    ...wordList('copy, result, results, response, responses, message, messages, output, outputs, data, contents, content, history'),
    ...wordList('details, everything, all, it, them, conversation, file, files, input, inputs, arguments, parameters, body, text'),
    ...wordList('transcript, query, queries, requests, information, documents, emails, code, anfrage, daten, donnees, datos'),
  ],
  outside: [
    ...wordList("attacker, attacker's, collector, external host, external server, external endpoint, external url, external site"),
    ...wordList(
      'external address, external service, external analytics endpoint, remote server, remote host, remote endpoint',
      'remote url',
    ),
    ...wordList(
      'third party, third party server, outside server, analytics endpoint, our server, our endpoint, my server',
      'our analytics',
    ),
    ...wordList('external analytics, external party, unknown server, drop server, command and control, c2 server, external domain'),
    ...wordList('externen server, serveur externe, servidor externo, server esterno, внешний сервер, 外部服务器, 外部サーバー'),
  ],
  slot: wordList(
    'argument, arguments, parameter, parameters, field, context, note, output, response, payload, sidenote, comment',
    'metadata',
  ),
  not: [
    ...wordList("do not, don't, never, must not, mustn't, should not, shouldn't, without, not, avoid, refrain from, no need to"),
    ...wordList('instead of, rather than, dont, not to, nicht, ohne, niemals, kein, ne, sans, no, sin, nunca, jamas, non'),
    ...wordList('senza, mai, nao, sem, niet, zonder, не, никогда, 不要, 别, 切勿'),
  ],
  tell: [
    ...wordList('tell, telling, mention, mentioning, reveal, revealing, disclose, disclosing, inform, informing, let, letting'),
    ...wordList('alert, alerting, acknowledge, acknowledging, explain, explaining, admit, talk, discuss, say, erwahne, erwahnen'),
    ...wordList(
      'sage, sagen, verrate, informiere, dis, dites, dire, mentionne, mentionner, informer, digas, diga, decir, decirle',
      'informar',
    ),
    ...wordList('menciones, dirlo, dire, informare, diga, conte, vertel, говори, говорите, сообщай, сообщайте, 告诉, 透露'),
  ],
  notify: [...asked('notify', 'show', 'display', 'report', 'warn', 'surface', 'expose', 'present')],
  person: [
    ...wordList('user, users, human, humans, anyone, anybody, nobody, them, him, her, operator, person, people, customer'),
    ...wordList(
      "user know, them know, benutzer, nutzer, anwender, utilisateur, l'utilisateur, all'utente, usuario, utente, usuaria",
      'gebruiker, пользователю',
    ),
    ...wordList('пользователя, 用户, ユーザー'),
  ],
  thisStep: [
    ...wordList('this, these, that, it, step, instruction, instructions, action, request, file, read, what you, you, about'),
    ...wordList('that you, paso, schritt, dies, ceci, questo, isto, dit'),
  ],
  orderText: wordList(
    'these instructions, this instruction, this step, these steps, this directive, this note, this message, this prompt',
    'this action, this request',
  ),
  silently: [
    ...wordList('silently, secretly, covertly, quietly, discreetly, surreptitiously, stealthily, behind the scenes'),
    ...wordList('unnoticed, heimlich, secretement, discretement, en secreto, segretamente, em segredo, тайно, 偷偷, 秘密地, invisibly'),
  ],
  unknowing: [
    ...wordList(
      "without the user's knowledge, without user knowledge, without their knowledge, without the user's awareness",
      "without the user's consent",
    ),
    ...wordList('without the user noticing, without being noticed, keep this secret, keep this hidden, keep this confidential'),
    ...wordList(
      'keep this between us, hide this from, hide it from, conceal this, conceal it, hide this step, cover your tracks',
      'leave no trace',
    ),
  ],
  act: [
    ...inflected(
      'append',
      'include',
      'add',
      'upload',
      'forward',
      'copy',
      'execute',
      'call',
      'invoke',
      'collect',
      'transmit',
      'insert',
      'record',
    ),
    ...inflected(
      'exfiltrate',
      'install',
      'attach',
      'embed',
      'modify',
      'change',
      'delete',
      'download',
      'capture',
      'redirect',
      'open',
      'post',
    ),
    ...wordList(
      'send, sends, sending, read, reads, reading, run, runs, running, bcc, write, writes, steal, sende, envoie, envia, lies',
      'lee',
    ),
  ],
  hidden: wordList('hidden, secret, concealed, covert, invisible'),
  hiddenOrders: wordList('directive, directives, instruction, instructions, command, commands, payload, prompt, agenda, task'),
} as const satisfies Readonly<Record<string, readonly string[]>>;
