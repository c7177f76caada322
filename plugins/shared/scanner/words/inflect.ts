/** Returns the forms of English verbs: base, third person, past and -ing. */
export function inflected(...verbs: readonly string[]): readonly string[] {
  return verbs.flatMap((verb) => [verb, thirdPerson(verb), ...pastAndParticiple(verb)]);
}

/** Returns the forms that ask for something: base and -ing. "Ignores" says what a tool does; "ignore" says what a model shall do. */
export function asked(...verbs: readonly string[]): readonly string[] {
  return verbs.flatMap((verb) => [verb, pastAndParticiple(verb)[1] ?? verb]);
}

function thirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

/** Verbs of one syllable, or with the stress on the last, double the consonant. */
const doubled = /^(?:[^aeiou]*[aeiou][bdgmnpt]|forget|submit|transmit|omit|commit|refer|transfer)$/;

function pastAndParticiple(verb: string): readonly [string, string] {
  if (verb.endsWith('e')) return [`${verb}d`, `${verb.slice(0, -1)}ing`];
  if (doubled.test(verb)) return [`${verb}${verb.slice(-1)}ed`, `${verb}${verb.slice(-1)}ing`];
  return [/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`, `${verb}ing`];
}
