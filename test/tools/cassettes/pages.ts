const paragraph = 'The river rose again in the night, and the people of the old town carried their chairs to the upper floors. ';
const article = `<html lang="en"><head><title>The flood</title></head><body><nav><a href="/">Home</a></nav>
<article><h1>The flood</h1>${`<p>${paragraph.repeat(3)}</p>`.repeat(5)}</article></body></html>`;
const home = `<html><head><title>Example</title><meta name="description" content="A page"></head><body>
<h1>Welcome</h1><h2>More</h2><p>Words <a href="/more">here</a> <a href="https://other.example/">there</a></p></body></html>`;

/** Pages of the example site by path: the body and its Content-Type. */
const site: Readonly<Record<string, readonly [body: string, type: string]>> = {
  '/': [home, 'text/html'],
  '/data.csv': ['name,price\nÄpfel,3\n', 'text/csv'],
  '/news/article': [article, 'text/html'],
  '/prices': ['<table><tr><th>Name</th><th>Price</th></tr><tr><td>Äpfel</td><td>3</td></tr></table>', 'text/html'],
  '/feed.xml': [
    '<rss version="2.0"><channel><title>News</title><item><title>One</title><link>/1</link></item></channel></rss>',
    'application/rss+xml',
  ],
  '/robots.txt': ['User-agent: ExampleBot\nDisallow: /private/\n', 'text/plain'],
  '/sitemap.xml': ['<urlset><url><loc>https://example.com/1</loc></url></urlset>', 'application/xml'],
  '/graphql': ['{"data":{"thing":{"name":"Größe"}}}', 'application/json'],
  '/v1/things': ['{"page":"2","name":"Größe"}', 'application/json'],
};

export function pages({ pathname }: URL, init: RequestInit | undefined): Response {
  const [body, type] = site[pathname] ?? [];
  if (body === undefined) return new Response('no such page', { status: 404, headers: { 'content-type': 'text/plain' } });
  const method = init?.method?.toUpperCase();
  const status = method === 'POST' && pathname === '/v1/things' ? 201 : 200;
  return new Response(method === 'HEAD' ? null : body, { status, headers: { 'content-type': type ?? '' } });
}
