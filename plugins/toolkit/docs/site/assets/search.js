/** The search of the site. What it needs is loaded when it is first used. */
const box = document.querySelector('#search');
const hits = document.querySelector('#hits');
const { base } = document.documentElement.dataset;
let loading;

async function load() {
  await script('assets/minisearch.js');
  await script('assets/search-index.js');
  const { options, index } = globalThis.siteSearch;
  return globalThis.MiniSearch.loadJS(index, options);
}

function script(file) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement('script'), { src: base + file, onload: resolve, onerror: reject });
    document.head.append(element);
  });
}

async function show() {
  loading ??= load();
  const index = await loading;
  const query = box.value.trim();
  const ways = { prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false), boost: { title: 3, kind: 2, section: 2 } };
  const all = query === '' ? [] : index.search(query, { ...ways, combineWith: 'AND' });
  const found = all.length > 0 || query === '' ? all : index.search(query, ways);
  const shown = found.toSorted((one, other) => rank(one, query) - rank(other, query)).slice(0, 20);
  hits.replaceChildren(...(shown.length === 0 && query !== '' ? [part('li', 'Nothing found.')] : shown.map(line)));
}

/** What has exactly the name comes first, then names that begin so; those of the reference before headings of guides. */
function rank({ title, kind }, query) {
  const [name, asked] = [title.toLowerCase(), query.toLowerCase()];
  const isName = kind !== 'guide';
  if (name === asked) return isName ? 0 : 1;
  return isName && name.startsWith(asked) ? 2 : 3;
}

function line({ address, title, kind, section, shown }) {
  const link = Object.assign(part('a', ''), { href: base + address });
  link.append(part('b', title), part('i', section === '' ? kind : `${kind}, ${section}`), part('span', shown));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Text of others goes into the page as text. */
function part(tag, text) {
  return Object.assign(document.createElement(tag), { textContent: text });
}

box.addEventListener('focus', () => {
  loading ??= load();
});
box.addEventListener('input', show);
box.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') hits.querySelector('a')?.click();
  if (key === 'Escape') hits.replaceChildren();
});
hits.addEventListener('click', () => hits.replaceChildren());
