/** Ways of writing a sentence so that a person does not see what a model reads. */
export const disguises: Readonly<Record<string, (sentence: string) => string>> = {
  'Cyrillic letters': (text) =>
    text.replace(/[aeopcxy]/g, (letter) => ({ a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', x: 'х', y: 'у' })[letter] ?? letter),
  'Greek letters': (text) => text.replace(/[ov]/g, (letter) => ({ o: 'ο', v: 'ν' })[letter] ?? letter),
  'mathematical letters': (text) => text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97)),
  'full width': (text) => text.replace(/[a-z]/gi, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  'letters in circles': (text) => text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x24d0 + letter.charCodeAt(0) - 97)),
  'accents on letters': (text) => text.replace(/[aeiou]/g, (letter) => `${letter}\u0323\u0301`),
  'spaces without width in words': (text) => text.replace(/(\w)(\w)/g, '$1\u200b$2'),
  'soft hyphens in words': (text) => text.replace(/(\w)(\w)/g, '$1\u00ad$2'),
  'selectors in words': (text) => text.replace(/(\w)(\w)/g, '$1\ufe0f$2'),
  'spaced letters': (text) =>
    text
      .split(' ')
      .map((word) => [...word].join(' '))
      .join('   '),
  'dots between letters': (text) =>
    text
      .split(' ')
      .map((word) => [...word].join('.'))
      .join(' '),
  'hyphens between letters': (text) =>
    text
      .split(' ')
      .map((word) => [...word].join('-'))
      .join(' '),
  'no spaces': (text) => text.replaceAll(' ', ''),
  'an identifier': (text) => text.replaceAll(' ', '_'),
  humps: (text) => text.replace(/ (\w)/g, (_all, letter: string) => letter.toUpperCase()),
  'tags in words': (text) => text.replace(/(\w)(\w{2})/g, '$1<b></b>$2'),
  'comments in words': (text) => text.replace(/(\w)(\w{2})/g, '$1<!-- -->$2'),
  'emphasis in words': (text) => text.replace(/(\w{2})(\w{2})/g, '$1**$2'),
  'a comment': (text) => `<!-- ${text} -->`,
  'character references': (text) => [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
  'hexadecimal references': (text) => text.replace(/[a-z]/g, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`),
  'escapes of JavaScript': (text) => text.replace(/[a-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'digits for letters': (text) => text.replace(/[eois]/g, (letter) => ({ e: '3', o: '0', i: '1', s: '5' })[letter] ?? letter),
  'mixed case': (text) => [...text].map((letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter)).join(''),
  'a sequence of a terminal': (text) => text.replace(/ /g, '\u001b[8m \u001b[0m'),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  percent: (text) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  'character codes': (text) => [...text].map((letter) => letter.charCodeAt(0)).join(', '),
  'shifted letters': (text) =>
    text.replace(/[a-z]/gi, (letter) =>
      String.fromCharCode(((letter.toLowerCase().charCodeAt(0) - 97 + 13) % 26) + (letter < 'a' ? 65 : 97)),
    ),
  backwards: (text) => [...text].reverse().join(''),
};
