/** Test support of @cairn/op-log: for specs of this and other projects, never compiled. */
export { InMemoryOpLog } from './op-log.fake.js';
