/** Test support of @cairn/correction: for specs of this and other projects, never compiled. */
export { FakeModelServer } from './model-server.harness.js';
