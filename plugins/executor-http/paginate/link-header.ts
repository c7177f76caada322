/** Returns the target of the first link with a relation in a Link header (RFC 8288, 3), as written there. */
export function linkTo(header: string | null, relation: string): string | undefined {
  return linksIn(header).find(({ relations }) => relations.includes(relation))?.target;
}

/** True for a Link header about pages, and not only about style sheets or licences. */
export function hasPageLinks(header: string | null): boolean {
  const known = ['next', 'prev', 'previous', 'first', 'last'];
  return linksIn(header).some(({ relations }) => relations.some((relation) => known.includes(relation)));
}

/**
 * A target and its parameters: a name, and usually a value, quoted or not. A target ends before the next `<`, so that matching
 * takes linear time.
 */
const linkPattern = /<([^<>]*)>((?:\s*;\s*[^\s"<>,;=]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s"<>,;]*))?)*)/g;

const parameterPattern = /;\s*([^\s"<>,;=]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"<>,;]*)))?/g;

function linksIn(header: string | null): { readonly target: string; readonly relations: readonly string[] }[] {
  return [...(header ?? '').matchAll(linkPattern)].map(([, target = '', parameters = '']) => {
    const rel = [...parameters.matchAll(parameterPattern)].find(([, name]) => name?.toLowerCase() === 'rel');
    return { target, relations: (rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/) };
  });
}
