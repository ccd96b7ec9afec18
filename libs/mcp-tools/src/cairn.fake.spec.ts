import { describeCairn } from './cairn.contract.js';
import { InMemoryCairn } from './cairn.fake.js';

const cairn = new InMemoryCairn();
describeCairn('the in-memory Cairn', (principal) => cairn.as(principal));
