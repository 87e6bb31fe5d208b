// A receiver of webhooks: it consents, checks, stores each event once, answers, and works afterwards.
using System.Text.Json.Nodes;

static string Setting(string name, string usual) => Environment.GetEnvironmentVariable(name) ?? usual;

var service = JsonNode.Parse(File.ReadAllText(Setting("SERVICE_FILE", $"{Setting("LOCAL_DIR", ".local")}/service.json")))!;
// While the secret is rotated there are two, with a space between them: either may sign.
var secrets = Setting("WEBHOOK_SECRETS", "").Split(' ', StringSplitOptions.RemoveEmptyEntries);

// What your program makes of an event. It may see one twice, after a death in its midst.
var inbox = new Inbox("events", work: theEvent =>
{
    Console.WriteLine($"{theEvent["id"]}: {theEvent["type"]} {theEvent["subject"]}");
    return Task.CompletedTask;
});

var builder = WebApplication.CreateBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.MaxRequestBodySize = 100_000);
// TLS is ended before this port, by a gateway or a proxy.
builder.WebHost.UseUrls($"http://127.0.0.1:{Setting("PORT", "9443")}");
var app = builder.Build();

app.MapMethods("/", ["OPTIONS"], (HttpRequest request, HttpResponse response) =>
{
    var host = new Uri(service["baseUrl"]!.GetValue<string>()).Authority;
    // Consent is for this service alone; others send nothing where they are not named.
    if (request.Headers["WebHook-Request-Origin"] == host) response.Headers["WebHook-Allowed-Origin"] = host;
    return Results.NoContent();
});

app.MapPost("/", async (HttpRequest request) =>
{
    // The bytes as they came: parsed and written anew they would have another signature.
    using var body = new MemoryStream();
    await request.Body.CopyToAsync(body);
    var bytes = body.ToArray();
    if (!Signature.IsRight(request.Headers, bytes, secrets)) return Results.Unauthorized();
    inbox.Store(request.Headers["webhook-id"].ToString(), bytes);
    return Results.NoContent();
});

_ = inbox.WorkOn();
_ = new CatchUp(service, inbox).Daily();
app.Run();
