{{- /*
Deployment, PodDisruptionBudget and HorizontalPodAutoscaler of one service.
Takes root, service (its name and its block in values) and env (its own variables, rendered).
*/ -}}
{{- define "cairn.workload" -}}
{{- $root := .root -}}
{{- $service := .service -}}
{{- $values := index $root.Values $service -}}
{{- $name := printf "%s-%s" (include "cairn.name" $root) $service -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "cairn.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $service }}
spec:
  {{- if not $values.hpa.enabled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  progressDeadlineSeconds: {{ $values.progressDeadlineSeconds }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "cairn.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $service }}
  template:
    metadata:
      labels:
        {{- include "cairn.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $service }}
    spec:
      serviceAccountName: {{ include "cairn.name" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "cairn.podSecurity" . | nindent 8 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "cairn.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ $service }}
      containers:
        - name: {{ $service }}
          image: {{ include "cairn.image" (dict "root" $root "service" $service) | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext:
            {{- include "cairn.containerSecurity" . | nindent 12 }}
          ports:
            {{- if eq $service "gateway" }}
            - name: http
              containerPort: {{ include "cairn.port" . }}
              protocol: TCP
            {{- end }}
            - name: ops
              containerPort: {{ include "cairn.opsPort" $service }}
              protocol: TCP
          env:
            - name: LOG_LEVEL
              value: {{ $root.Values.log.level | quote }}
            - name: LOG_FORMAT
              value: json
            - name: HOME
              value: /var/cache/cairn
            {{- if eq $service "gateway" }}
            - name: CAIRN_HOST
              value: 0.0.0.0
            - name: CAIRN_PORT
              value: {{ include "cairn.port" . | quote }}
            {{- end }}
            - name: CAIRN_OPS_HOST
              value: 0.0.0.0
            - name: CAIRN_OPS_PORT
              value: {{ include "cairn.opsPort" $service | quote }}
            {{- include "cairn.serviceEnv" . | nindent 12 }}
          startupProbe:
            httpGet: { path: /healthz, port: ops }
            periodSeconds: 1
            timeoutSeconds: {{ $values.probes.timeoutSeconds }}
            failureThreshold: {{ $values.probes.startupSeconds }}
          livenessProbe:
            httpGet: { path: /healthz, port: ops }
            periodSeconds: {{ $values.probes.periodSeconds }}
            timeoutSeconds: {{ $values.probes.timeoutSeconds }}
            failureThreshold: 3
          readinessProbe:
            httpGet: { path: /readyz, port: ops }
            periodSeconds: {{ $values.probes.periodSeconds }}
            timeoutSeconds: {{ $values.probes.timeoutSeconds }}
            failureThreshold: 2
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          volumeMounts:
            {{- include "cairn.mounts" $values | nindent 12 }}
      volumes:
        {{- include "cairn.volumes" . | nindent 8 }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- if $values.pdb.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "cairn.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $service }}
spec:
  maxUnavailable: {{ $values.pdb.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "cairn.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $service }}
{{- end }}
{{- if $values.hpa.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels:
    {{- include "cairn.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $service }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ $name }}
  minReplicas: {{ $values.hpa.minReplicas }}
  maxReplicas: {{ $values.hpa.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $values.hpa.cpuPercent }}
{{- end }}
{{- end }}
