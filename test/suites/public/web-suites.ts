import type { PublicSuite } from './public-suite.ts';
import { entities } from './readers/entities.ts';
import { feeds } from './readers/feeds.ts';
import { robots } from './readers/robots.ts';
import { url } from './readers/url.ts';
import { xml } from './readers/xml.ts';

/** Readers of the suites about what comes from the web: XML, feeds, references of HTML, robots.txt and URLs. */
export const webSuites: readonly PublicSuite[] = [entities, feeds, robots, url, xml];
