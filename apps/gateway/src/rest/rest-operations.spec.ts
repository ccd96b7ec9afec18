import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { accessOf, Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { operationsOf } from './rest-operations.js';

@RestController('stones', { access: 'admin' })
class StonesController {
  @Post()
  @Operation({ summary: 'Store a stone' })
  store(): void {}

  @Get()
  @Operation({ access: 'read', summary: 'List stones' })
  list(): void {}

  @Get('hidden')
  hide(this: void): void {}
}

@Controller('pebbles')
class PebblesController {
  @Get()
  @Operation({ summary: 'List pebbles' })
  list(): void {}
}

describe('the operations of a controller', () => {
  it('have the access of the controller, or their own', () => {
    const found = operationsOf([StonesController]).map(({ method, path, access }) => [method, path, access]);
    expect(found).toEqual([
      ['POST', '/api/v1/stones', 'admin'],
      ['GET', '/api/v1/stones', 'read'],
    ]);
  });

  it('do not include a handler without a description, which is open to no one', () => {
    expect(accessOf(StonesController, StonesController.prototype.hide)).toBeUndefined();
  });

  it('are refused when neither they nor their controller have an access', () => {
    expect(() => operationsOf([PebblesController])).toThrow('PebblesController.list does not state who may call it');
  });
});
