"""What people decide about findings: waivers, baselines, stages. It changes no finding."""
