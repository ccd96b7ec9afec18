import { planRoute, type Strategy } from '@cairn/graph';
import { describe, expect, it } from '@jest/globals';
import { queryFacts } from './query-facts.js';

// A Tuesday.
const NOW = Date.parse('2026-11-17T10:00:00Z');
const JOURNAL = '01900000-0000-7000-8000-000000000001';
const WORLD = {
  nowMs: NOW,
  folders: [
    { id: JOURNAL, name: 'Journal' },
    { id: '01900000-0000-7000-8000-000000000002', name: 'Field Notes' },
    { id: '01900000-0000-7000-8000-000000000003', name: 'Night Watch' },
  ],
  knownKeys: new Set(['alice chen', 'alice', 'bob stone', 'meridian labs', 'apollo', 'redis', 'node.js']),
};

const route = (query: string) => planRoute(queryFacts(query, WORLD));

const CASES: readonly (readonly [string, Strategy])[] = [
  ['what did I write last Tuesday?', 'metadata'],
  ['what did I write yesterday', 'metadata'],
  ['notes from last week', 'metadata'],
  ['show everything from March 2026', 'metadata'],
  ['what did we add this month?', 'metadata'],
  ['entries since 2026-11-01', 'metadata'],
  ['list notes in folio Journal', 'metadata'],
  ['what is in the folder Field Notes', 'metadata'],
  ['recent notes from Journal', 'metadata'],
  ['what did I save on November 3rd?', 'metadata'],
  ['what have I written this year', 'metadata'],
  ['files created between 2026-10-01 and 2026-10-15', 'metadata'],
  ['what did I note about taxes yesterday', 'metadata'],
  ['everything I stored on Monday', 'metadata'],
  ['who works at Meridian Labs?', 'graph'],
  ['Who does Alice Chen report to?', 'graph'],
  ["Alice Chen's manager", 'graph'],
  ["who is Bob Stone's boss?", 'graph'],
  ['what is connected to Apollo', 'graph'],
  ['how are Alice Chen and Bob Stone related?', 'graph'],
  ['the relationship between Alice Chen and Meridian Labs', 'graph'],
  ['who founded Meridian Labs', 'graph'],
  ['whom does Alice work with?', 'graph'],
  ['people who work at Meridian Labs', 'graph'],
  ['members of Apollo', 'graph'],
  ['who uses Redis', 'graph'],
  ['what is related to Node.js?', 'graph'],
  ['head of Meridian Labs', 'graph'],
  ['how do I scope a token to multiple folders?', 'semantic'],
  ['explain the consent flow', 'semantic'],
  ['why did the deployment fail?', 'semantic'],
  ['Redis eviction policy', 'semantic'],
  ['who invented the transistor?', 'semantic'],
  ['best practices for error handling', 'semantic'],
  ['what does Alice Chen think about caching?', 'semantic'],
  ['summary of the architecture decision on queues', 'semantic'],
  ['lessons learned from the outage of the payment system last week', 'semantic'],
  ['what did the customers complain about in the second interview round', 'semantic'],
  ['may the force be with you', 'semantic'],
  ['how to march in step', 'semantic'],
  ['is the cache invalidated on write?', 'semantic'],
  ['who is responsible for tokens', 'semantic'],
  ['second law of thermodynamics', 'semantic'],
  ['connection pool settings', 'semantic'],
  ['night lamps', 'semantic'],
  ['list notes in folio Dawn Patrol', 'semantic'],
];

describe('the router', () => {
  it('chooses the expected strategy for each query of the table', () => {
    const wrong = CASES.filter(([query, strategy]) => route(query).strategy !== strategy);
    console.log(`router: ${CASES.length - wrong.length} of ${CASES.length} queries as expected`);
    expect(wrong.map(([query, expected]) => ({ query, expected, chosen: route(query).strategy }))).toEqual([]);
    expect(CASES.length).toBeGreaterThanOrEqual(40);
  });

  it.each([
    ['what did I write last Tuesday?', '2026-11-10', '2026-11-10'],
    ['what did I write yesterday', '2026-11-16', '2026-11-16'],
    ['what did I write today', '2026-11-17', '2026-11-17'],
    ['what did I write this morning?', '2026-11-17', '2026-11-17'],
    ['what did I write last night?', '2026-11-16', '2026-11-16'],
    ['what did I write 3 hours ago', '2026-11-17', '2026-11-17'],
    ['what did I save 5 days ago', '2026-11-12', '2026-11-12'],
    ['everything I stored on Monday', '2026-11-16', '2026-11-16'],
    ['everything I stored on Friday', '2026-11-13', '2026-11-13'],
    ['notes from last week', '2026-11-09', '2026-11-15'],
    ['notes from this week', '2026-11-16', '2026-11-22'],
    ['what did we add this month?', '2026-11-01', '2026-11-30'],
    ['notes from last month', '2026-10-01', '2026-10-31'],
    ['notes from last year', '2025-01-01', '2025-12-31'],
    ['show everything from March 2026', '2026-03-01', '2026-03-31'],
    ['notes from December', '2025-12-01', '2025-12-31'],
    ['entries since 2026-11-01', '2026-11-01', '2026-11-17'],
    ['files created between 2026-10-01 and 2026-10-15', '2026-10-01', '2026-10-15'],
    ['what did I save on November 3rd?', '2026-11-03', '2026-11-03'],
    ['what did I save on December 3rd?', '2025-12-03', '2025-12-03'],
  ])('reads the days of %j in UTC', (query, date_from, date_to) => {
    expect(route(query).arguments).toEqual({ filters: { date_from, date_to } });
  });

  it('names the folder by its id', () => {
    expect(route('list notes in folio Journal').arguments).toEqual({ filters: { folio_id: JOURNAL } });
    expect(route('list notes in folio Night Watch')).toMatchObject({
      rule: 'folio',
      arguments: { filters: { folio_id: WORLD.folders[2]!.id } },
    });
    expect(route('what did I write in Night Watch yesterday?').arguments).toEqual({
      filters: { folio_id: WORLD.folders[2]!.id, date_from: '2026-11-16', date_to: '2026-11-16' },
    });
  });

  it('starts at the longest known name, and walks two hops for a question about several names', () => {
    expect(route('who works at Meridian Labs?').arguments).toEqual({ start_entity: 'Meridian Labs', depth: 1 });
    expect(route('the relationship between Alice Chen and Meridian Labs').arguments).toEqual({
      start_entity: 'Meridian Labs',
      depth: 2,
    });
    expect(route("Alice Chen's manager").arguments).toEqual({ start_entity: 'Alice Chen', depth: 1 });
  });

  it('does not choose the graph for a name that the caller may not see', () => {
    const facts = queryFacts('who works at Meridian Labs?', { ...WORLD, knownKeys: new Set<string>() });
    expect(planRoute(facts).strategy).toBe('semantic');
  });

  it.each([
    ['lessons learned from the outage of the payment system last week', 'a time ("last week")'],
    ['lessons about storm damage and lamp repair in Journal', 'a folio ("in Journal")'],
  ])('reports what %j names and does not filter by', (query, named) => {
    expect(route(query)).toMatchObject({
      strategy: 'semantic',
      reason: `The query names ${named} but mainly describes content, so its meaning is searched, without a filter.`,
    });
    expect(route('night lamps').reason).toMatch(/^The query names neither a time, a folio nor a relation/);
  });

  it('gives the same plan for the same query', () => {
    for (const [query] of CASES) expect(route(query)).toEqual(route(query));
  });
});
