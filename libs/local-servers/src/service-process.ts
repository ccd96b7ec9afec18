import { answersOk, AppProcess } from './app-process.js';
import { freePort } from './free-port.js';

export type ServiceName = 'gateway' | 'ingest' | 'search' | 'embedder';

/** One replica of a service of the cluster profile. It keeps its ports when it is started again. */
export class ServiceProcess {
  private running: AppProcess | undefined;
  private root: string | undefined;

  private constructor(
    readonly name: ServiceName,
    private readonly env: Readonly<Record<string, string>>,
    private readonly port: number,
    private readonly opsPort: number,
  ) {}

  /** `port` is the public one of a gateway, a free one by default. */
  static async on(
    name: ServiceName,
    env: Readonly<Record<string, string>>,
    port: number | undefined = undefined,
  ): Promise<ServiceProcess> {
    return new ServiceProcess(name, env, port ?? (await freePort()), await freePort());
  }

  get app(): AppProcess {
    if (!this.running) throw new Error(`${this.name} was not started`);
    return this.running;
  }

  /** The public address of a gateway. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Where health and metrics are. */
  get opsUrl(): string {
    return `http://127.0.0.1:${this.opsPort}`;
  }

  /** Whether it would get requests from a load balancer. */
  isReady(): Promise<boolean> {
    return answersOk(`${this.opsUrl}/readyz`);
  }

  /** `root` is the checkout whose build runs, also at later starts; this one by default. */
  launch(root = this.root): AppProcess {
    this.root = root;
    const ports = { CAIRN_PORT: String(this.port), CAIRN_OPS_PORT: String(this.opsPort) };
    this.running = AppProcess.start(this.name, { ...this.env, ...ports }, root);
    return this.running;
  }

  /** Resolves when it is ready. */
  async start(root?: string): Promise<this> {
    await this.launch(root).until(() => this.isReady());
    return this;
  }

  async end(signal: NodeJS.Signals): Promise<number | string> {
    return this.running === undefined ? 0 : this.running.end(signal);
  }
}
