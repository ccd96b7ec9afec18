import type { Verdict } from '@cairn/graph';

/** A claim, the texts that are found for it, and the verdict of a careful reader who knows nothing else. */
export type ClaimCase = readonly [claim: string, texts: readonly string[], verdict: Verdict];

export const CLAIM_CASES: readonly ClaimCase[] = [
  // The text states the claim, in the same or in similar words.
  ['Alice Chen works at Meridian Labs.', ['Alice Chen works at Meridian Labs.'], 'corroborated'],
  [
    'Alice Chen works at Meridian Labs.',
    ['Since May, Alice Chen works at Meridian Labs as a designer.'],
    'corroborated',
  ],
  [
    'The service uses Redis for caching.',
    ['We agreed that the service uses Redis for its caching layer.'],
    'corroborated',
  ],
  ['The deploy takes 20 minutes.', ['A deploy takes 20 minutes on the small runner.'], 'corroborated'],
  ['The launch is on March 5, 2027.', ['The launch is on 2027-03-05.'], 'corroborated'],
  ['The launch is in March 2027.', ['The launch is on March 5, 2027.'], 'corroborated'],
  ['Backups are encrypted.', ['All backups are encrypted before they leave the host.'], 'corroborated'],
  ['The team chose Kafka over RabbitMQ.', ['After two weeks the team chose Kafka over RabbitMQ.'], 'corroborated'],
  ['The feature flag is enabled.', ['The feature flag is not disabled.'], 'corroborated'],
  ['Invoices are sent monthly.', ['Invoices are sent monthly to every customer.'], 'corroborated'],
  ['The API is public.', ['Our API is public.'], 'corroborated'],
  ['Meridian Labs acquired Northwind.', ['Meridian Labs bought Northwind.'], 'corroborated'],
  ['The parser does not support XML.', ['The parser does not support XML.'], 'corroborated'],
  ['The office has 12 meeting rooms.', ['The office has twelve meeting rooms.'], 'corroborated'],
  ['Bob Stone leads the Apollo project.', ['The Apollo project is led by Bob Stone.'], 'corroborated'],
  ['The migration was cancelled.', ['The migration was cancelled on Friday.'], 'corroborated'],
  ['The server runs without authentication.', ['The server runs without authentication in the lab.'], 'corroborated'],

  // Negation.
  ['Alice Chen works at Meridian Labs.', ['Alice Chen no longer works at Meridian Labs.'], 'contradicted'],
  ['Alice Chen works at Meridian Labs.', ['Alice Chen does not work at Meridian Labs.'], 'contradicted'],
  ['The service uses Redis.', ['The service does not use Redis.'], 'contradicted'],
  ['The service uses Redis.', ['The service stopped using Redis.'], 'contradicted'],
  ['The service never uses Redis.', ['The service uses Redis.'], 'contradicted'],
  ['The parser supports XML.', ["The parser doesn't support XML."], 'contradicted'],
  ['The backups are encrypted.', ['The backups are not encrypted.'], 'contradicted'],
  ['The server uses authentication.', ['The server works without authentication.'], 'contradicted'],
  ['The deploy needs approval.', ['The deploy needs no approval.'], 'contradicted'],
  ['The migration is planned.', ['The migration is not planned.'], 'contradicted'],
  ['We never store passwords.', ['We store passwords in the vault.'], 'contradicted'],
  ['Nobody owns the billing module.', ['Nobody owns the billing module.'], 'corroborated'],

  // Opposites.
  ['The feature flag is enabled.', ['The feature flag is disabled.'], 'contradicted'],
  ['The API is public.', ['The API is private.'], 'contradicted'],
  ['The proposal was approved.', ['The proposal was rejected.'], 'contradicted'],
  ['Traffic increased in the summer.', ['Traffic decreased in the summer.'], 'contradicted'],
  ['The build is fast.', ['The build is slow.'], 'contradicted'],
  ['The field is mandatory.', ['The field is optional.'], 'contradicted'],
  ['The test passed.', ['The test failed.'], 'contradicted'],
  ['Deployments are automatic.', ['Deployments are manual.'], 'contradicted'],
  ['The feature flag is disabled.', ['The feature flag is not disabled.'], 'contradicted'],

  // Numbers, dates, versions.
  ['The deploy takes 20 minutes.', ['The deploy takes 45 minutes.'], 'contradicted'],
  ['The token expires after 24 hours.', ['The token expires after 12 hours.'], 'contradicted'],
  ['The launch is on March 5.', ['The launch is on April 9.'], 'contradicted'],
  ['The launch is on 2027-03-05.', ['The launch is on March 6, 2027.'], 'contradicted'],
  ['The standup starts at 9:30.', ['The standup starts at 10:00.'], 'contradicted'],
  ['The review meeting is on Tuesday.', ['The review meeting is on Thursday.'], 'contradicted'],
  ['The company has 40 employees.', ['The company has 65 employees.'], 'contradicted'],
  ['The deploy takes 20 minutes.', ['The deploy takes at least 15 minutes.'], 'inconclusive'],
  ['The deploy takes 20 minutes.', ['The deploy takes a long time.'], 'inconclusive'],
  ['The launch is on March 5, 2027.', ['The launch is in March.'], 'corroborated'],

  // Roles and objects.
  ['The team chose Kafka over RabbitMQ.', ['The team chose RabbitMQ over Kafka.'], 'contradicted'],
  ['Meridian Labs acquired Northwind.', ['Northwind acquired Meridian Labs.'], 'contradicted'],
  ['Alice Chen manages Bob Stone.', ['Bob Stone manages Alice Chen.'], 'contradicted'],
  ['Alice Chen works at Meridian Labs.', ['Alice Chen works at Northwind.'], 'contradicted'],
  ['Alice Chen reports to Bob Stone.', ['Alice Chen reports to Carla Diaz.'], 'contradicted'],
  ['Meridian Labs is based in Oslo.', ['Meridian Labs is based in Lisbon.'], 'contradicted'],
  ['Alice Chen works at Meridian Labs.', ['Alice Chen worked at Northwind until 2019.'], 'inconclusive'],

  // Evidence on both sides.
  ['The API is public.', ['The API is public.', 'The API is not public.'], 'mixed'],
  ['The deploy takes 20 minutes.', ['The deploy takes 20 minutes.', 'The deploy takes 30 minutes.'], 'mixed'],
  [
    'Alice Chen works at Meridian Labs.',
    ['Alice Chen works at Meridian Labs.', 'Alice Chen left Meridian Labs and works at Northwind.'],
    'mixed',
  ],

  // No decisive evidence.
  ['Alice Chen works at Meridian Labs.', ['Bob Stone works at Meridian Labs.'], 'inconclusive'],
  ['Alice Chen works at Meridian Labs.', ['Alice Chen might work at Meridian Labs.'], 'inconclusive'],
  ['Alice Chen works at Meridian Labs.', ['Does Alice Chen work at Meridian Labs?'], 'inconclusive'],
  ['Alice Chen works at Meridian Labs.', ['Meridian Labs opened a new office.'], 'inconclusive'],
  ['The service uses Redis.', ['If the service uses Redis, it needs more memory.'], 'inconclusive'],
  ['The backups are encrypted.', ['The laptops are encrypted.'], 'inconclusive'],
  ['The API is public.', ['The documentation of the parser is public.'], 'inconclusive'],
  ['The moon is made of cheese.', ['The quarterly report is due on Friday.'], 'inconclusive'],
  ['The office is closed on Sundays.', ['Sales grew in the second quarter.'], 'inconclusive'],
  ['Bob Stone leads the Apollo project.', ['Bob Stone likes the Apollo project.'], 'inconclusive'],
];

/**
 * Written after the rules were fixed and never used to tune them: shows how the rules handle claims they were not made
 * for.
 */
export const HELD_OUT_CLAIMS: readonly ClaimCase[] = [
  ['Carla Diaz moved to Porto.', ['Carla Diaz moved to Porto last spring.'], 'corroborated'],
  ['Carla Diaz moved to Porto.', ['Carla Diaz never moved to Porto.'], 'contradicted'],
  ['The cache is cleared every night.', ['The cache is not cleared at night.'], 'contradicted'],
  ['The contract runs for 3 years.', ['The contract runs for 5 years.'], 'contradicted'],
  ['The contract runs for 3 years.', ['The contract runs for three years.'], 'corroborated'],
  ['Orders are shipped from Rotterdam.', ['Orders are shipped from Rotterdam on weekdays.'], 'corroborated'],
  ['The queue is durable.', ['The queue might be durable.'], 'inconclusive'],
  ['Users can export their data.', ["Users can't export their data."], 'contradicted'],
  ['The invoice was paid.', ['Nobody knows whether the invoice was paid.'], 'inconclusive'],
  ['The house was sold in 2021.', ['The house was sold in 2019.'], 'contradicted'],
  ['The new office is bigger than the old one.', ['The new office is smaller than the old one.'], 'contradicted'],
  ['Vega Systems supplies Orion Motors.', ['Orion Motors supplies Vega Systems.'], 'contradicted'],
  ['Emma Larsen founded Vega Systems.', ['Vega Systems was founded by Emma Larsen.'], 'corroborated'],
  ['Emma Larsen founded Vega Systems.', ['Emma Larsen joined Vega Systems in 2020.'], 'inconclusive'],
  ['The interview is at 3 pm.', ['The interview is at 15:00.'], 'corroborated'],
  ['The interview is at 3 pm.', ['The interview is at 4 pm.'], 'contradicted'],
  ['The library is written in Rust.', ['The documentation mentions Rust twice.'], 'inconclusive'],
  ['We rejected the offer.', ['We accepted the offer.'], 'contradicted'],
  ['The shop is open on Sundays.', ['On Sundays the shop is closed.'], 'contradicted'],
  ['The alarm is silent.', ['The garden needs water.'], 'inconclusive'],
];
