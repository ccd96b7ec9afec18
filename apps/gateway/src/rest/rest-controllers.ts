import { AccountsController } from './accounts.controller.js';
import { ChunksController } from './chunks.controller.js';
import { ClientsController } from './clients.controller.js';
import { ConfirmationsController } from './confirmations.controller.js';
import { ConnectorsController } from './connectors.controller.js';
import { EdgesController } from './edges.controller.js';
import { EntitiesController } from './entities.controller.js';
import { EventsController } from './events.controller.js';
import { FoldersController } from './folders.controller.js';
import { GraphController } from './graph.controller.js';
import { ItemBatchController } from './item-batch.controller.js';
import { ItemsController } from './items.controller.js';
import { ItemLinksController, LinksController } from './links.controller.js';
import { MeshController } from './mesh.controller.js';
import { McpServersController } from './mcp-servers.controller.js';
import { LogCardsController } from './log-cards.controller.js';
import { OpsController } from './ops.controller.js';
import { ProjectionsController } from './projections.controller.js';
import { QuotasController } from './quotas.controller.js';
import { ReceiptsController } from './receipts.controller.js';
import { ReviewController } from './review.controller.js';
import { SeriesController } from './series.controller.js';
import { SignInCodesController } from './sign-in-codes.controller.js';
import { SignInController } from './sign-in.controller.js';
import { StatusController } from './status.controller.js';
import { TokensController } from './tokens.controller.js';
import { WhoamiController } from './whoami.controller.js';
import { WorkspacesController } from './workspaces.controller.js';

/** Every controller that the OpenAPI document describes, in its order. */
export const REST_CONTROLLERS = [
  SignInController,
  SignInCodesController,
  WhoamiController,
  WorkspacesController,
  FoldersController,
  TokensController,
  ClientsController,
  ItemsController,
  ItemBatchController,
  ChunksController,
  LinksController,
  ItemLinksController,
  LogCardsController,
  EntitiesController,
  EdgesController,
  GraphController,
  ReviewController,
  ReceiptsController,
  QuotasController,
  ConfirmationsController,
  ConnectorsController,
  AccountsController,
  SeriesController,
  MeshController,
  McpServersController,
  EventsController,
  OpsController,
  ProjectionsController,
  StatusController,
] as const;
